// The tabs in display order.
import type { App, Tab } from '../app';
import { makeAbstractionTab } from './abstraction';
import { makeCompareTab } from './compare';
import { makePathsTab } from './paths';
import { makeWorldTab } from './world';
import { makeCrowdTab } from './crowd';
import { makeWeightedRegionsTab } from './weighted-regions';
import { makePathdbTab } from './pathdb';
import { makeShareTab } from './share';

export function makeTabs(app: App): Tab[] {
    return [
        makeWorldTab(app),
        makePathsTab(app),
        makeCompareTab(app),
        makeAbstractionTab(app),
        makeWeightedRegionsTab(app),
        makeCrowdTab(app),
        makePathdbTab(app),
        makeShareTab(app),
    ];
}

// The tabs, in the order that they are shown.
import type { App, Tab } from '../app';
import { makeAbstractionTab } from './abstraction';
import { makeCompareTab } from './compare';
import { makePathsTab } from './paths';
import { makeWorldTab } from './world';
import { makeCrowdTab } from './crowd';
import { makeOpenTab } from './open';
import { makePathdbTab } from './pathdb';
import { makeShareTab } from './share';

export function makeTabs(app: App): Tab[] {
    return [
        makeWorldTab(app),
        makePathsTab(app),
        makeCompareTab(app),
        makeAbstractionTab(app),
        makeOpenTab(app),
        makeCrowdTab(app),
        makePathdbTab(app),
        makeShareTab(app),
    ];
}

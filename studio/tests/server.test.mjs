// `terrane studio` as a server: the right headers, nothing but the page's files, a clear word where it cannot begin.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { serve, terrane } from './harness.mjs';

let server;
before(async () => (server = await serve()));
after(() => server.stop());

// A request as it is, and all of the answer.
function raw(text) {
    const { hostname, port } = new URL(server.address);
    return new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        let answer = '';
        socket.setEncoding('latin1');
        socket.on('data', (bytes) => (answer += bytes));
        socket.on('close', () => resolve(answer));
        socket.on('error', reject);
    });
}

test('the page and the engine come with their types', async () => {
    for (const [path, type] of [
        ['', 'text/html'],
        ['main.js', 'text/javascript'],
        ['worker.js', 'text/javascript'],
        ['style.css', 'text/css'],
        ['terrane.wasm', 'application/wasm'],
    ]) {
        const answer = await fetch(server.address + path);
        assert.equal(answer.status, 200, path);
        assert.ok(answer.headers.get('content-type').startsWith(type), path);
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
        assert.match(answer.headers.get('content-security-policy'), /default-src 'self'/);
        assert.ok((await answer.arrayBuffer()).byteLength > 500, path);
    }
});

test('nothing outside its folder', async () => {
    for (const path of ['/../CMakeCache.txt', '/..%2f..%2fREADME.md', '/%2e%2e/README.md', '//etc/passwd', '/etc/passwd', '/./../wasm', '/\\..\\x', '/index.html/..']) {
        const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 (400|404) /, path);
        assert.doesNotMatch(answer, /root:|CMAKE_HOME/, path);
    }
});

test('only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        assert.equal((await fetch(server.address, { method })).status, 405, method);
    }
    const head = await fetch(server.address, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal((await head.text()).length, 0);
});

test('nonsense does it no harm', async () => {
    for (const text of ['\0\0\0\0', 'GET', 'GET / HTTP/9.9\r\n\r\n', `GET /${'a'.repeat(100000)} HTTP/1.1\r\n\r\n`, 'x'.repeat(1 << 20)]) {
        const answer = raw(text).catch(() => {}); // it may hang up, or wait for the rest
        await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 500))]);
    }
    assert.equal((await fetch(server.address)).status, 200);
});

test('only this machine can reach it', () => assert.equal(new URL(server.address).hostname, '127.0.0.1'));

test('a port that is taken is said, with what to do', () => {
    const { port } = new URL(server.address);
    const second = spawnSync(terrane, ['studio', '--port', port], { encoding: 'utf8', timeout: 10000 });
    assert.equal(second.status, 2);
    assert.match(second.stderr, /port \d+ is taken.*--port 0/);
});

test('a folder without a page is said, with what to do', () => {
    const second = spawnSync(terrane, ['studio', '--folder', '/'], { encoding: 'utf8', timeout: 10000 });
    assert.equal(second.status, 2);
    assert.match(second.stderr, /make studio/);
});

test('Ctrl-C ends it well', async () => {
    const other = await serve();
    assert.equal((await fetch(other.address)).status, 200);
    assert.equal(await other.stop(), 0);
});

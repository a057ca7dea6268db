// `terrane studio` as a server: its headers, access to the page's files only, and clear errors at the start.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { folder, serve, terrane } from './harness.mjs';

let server;
before(async () => (server = await serve()));
after(() => server.stop());

// Opens a connection, sends `text`, then calls `more`. Ignores errors: the tests observe the server.
function open(text = '', more = () => {}) {
    const { hostname, port } = new URL(server.address);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
        if (text) socket.write(text, 'latin1');
        more(socket);
    });
    socket.on('error', () => {});
    return socket;
}

// Sends a raw request and returns the whole answer, until the server closes the connection.
function raw(text, more) {
    return new Promise((resolve) => {
        const socket = open(text, more);
        let answer = '';
        socket.setEncoding('latin1');
        socket.on('data', (bytes) => (answer += bytes));
        socket.on('end', () => socket.end());
        socket.on('close', () => resolve(answer));
    });
}
const get = (path, ...headers) => raw([`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join('\r\n'));

const connected = (socket) => new Promise((resolve) => socket.on('connect', resolve).on('close', resolve));

// Checks that others are served whatever `clients` do. A server that waited for the time-out of each of hundreds of clients would exceed
// this test's limit.
async function stillServes(clients = []) {
    await Promise.all(clients.map(connected));
    const answer = await fetch(`${server.address}main.js`, { signal: AbortSignal.timeout(120000) });
    assert.equal(answer.status, 200);
    assert.ok((await answer.arrayBuffer()).byteLength > 500);
    for (const client of clients) client.destroy();
}

test('the page and the engine have their content types', async () => {
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

test('serves nothing outside its folder', async () => {
    const paths = ['/../CMakeCache.txt', '/..%2f..%2fREADME.md', '/%2e%2e/README.md', '//etc/passwd', '/etc/passwd', '/./../wasm', '/\\..\\x', '/index.html/..'];
    paths.push('/%00', '/index.html%00.js', '/%', '/%zz', '/..\\..\\x', '/%5c..%5cx', '/....//x', '/main.js/', '/INDEX.HTML', '/%c0%ae%c0%ae/x');
    for (const path of paths) {
        const answer = await get(path);
        assert.match(answer, /^HTTP\/1\.1 (400|404) /, path);
        assert.doesNotMatch(answer, /root:|CMAKE_HOME/, path);
    }
    assert.match(await get('/?a=/../x'), /^HTTP\/1\.1 200 /);
});

test('follows no links out of its folder', async () => {
    const page = mkdtempSync(join(tmpdir(), 'studio-'));
    writeFileSync(join(page, 'index.html'), 'x');
    symlinkSync('/etc/passwd', join(page, 'passwd.txt'));
    symlinkSync('/etc', join(page, 'etc'));
    const other = await serve(page);
    for (const path of ['passwd.txt', 'etc/passwd', 'etc']) assert.equal((await fetch(other.address + path)).status, 404, path);
    assert.equal((await fetch(other.address)).status, 200);
    await other.stop();
    rmSync(page, { recursive: true });
});

test('accepts only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        assert.equal((await fetch(server.address, { method })).status, 405, method);
    }
    const head = await fetch(server.address, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal((await head.text()).length, 0);
});

test('every answer has the headers that protect the page', async () => {
    for (const request of ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n']) {
        const answer = await raw(request);
        for (const header of [/Content-Security-Policy: default-src 'self'/, /Cross-Origin-Opener-Policy: same-origin/, /Cross-Origin-Embedder-Policy: require-corp/, /X-Content-Type-Options: nosniff/]) {
            assert.match(answer, header, request);
        }
    }
});

test('ranges are ignored', async () => {
    const whole = (await get('/main.js')).split('\r\n\r\n', 2)[1];
    for (const range of ['0-0', '5-99999999', '-99999999', '99999999-', `${'0-0,'.repeat(1500)}1-1`]) {
        const answer = await get('/main.js', `Range: bytes=${range}`);
        assert.match(answer, /^HTTP\/1\.1 200 /, range.slice(0, 20));
        assert.ok(answer.endsWith(whole), range.slice(0, 20));
    }
    assert.match(await get('/main.js', 'Range: bytes=99999999999999999999-'), /^HTTP\/1\.1 416 /);
    await stillServes();
});

test('malformed requests are rejected, and the connection is closed', async () => {
    const host = 'Host: localhost\r\n';
    for (const [code, text] of [
        [400, `GET /\0 HTTP/1.1\r\n${host}\r\n`],
        [404, `GET http://localhost/ HTTP/1.1\r\n${host}\r\n`],
        [404, `GET * HTTP/1.1\r\n${host}\r\n`],
        [400, `\r\n\r\nGET / HTTP/1.1\r\n${host}\r\n`],
        [400, `G\x01T / HTTP/1.1\r\n${host}\r\n`],
        [400, 'GET / HTTP/1.1\r\n\r\n'], // no Host header
        [400, `GET / HTTP/1.1\r\n${host}${host}\r\n`],
        [405, `CONNECT / HTTP/1.1\r\n${host}\r\n`],
        [400, `get / HTTP/1.1\r\n${host}\r\n`],
        [400, `PROPFIND / HTTP/1.1\r\n${host}\r\n`],
        [400, `GET / HTTP/9.9\r\n${host}\r\n`],
        [400, `GET /\r\n${host}\r\n`],
        [431, `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`],
        [431, `GET / HTTP/1.1\r\n${host}A: ${'a'.repeat(9000)}\r\n\r\n`],
        [431, `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(2000)}\r\n`],
        [431, 'x'.repeat(1 << 20)],
        // cpp-httplib skips a header line that is not one. As a connection has one request, such a line hides nothing.
        [200, `GET  / HTTP/1.1\r\n${host}\r\n`],
        [200, `GET / HTTP/1.1\r\n${host} folded: x\r\n\r\n`],
        [200, `GET / HTTP/1.1\r\n${host}no colon\r\n\r\n`],
        [200, `GET / HTTP/1.1\r\n${host}A: x\ny: z\r\n\r\n`],
        [421, 'GET / HTTP/1.1\r\nHost: evil.example\r\n Host: localhost\r\n\r\n'],
        [400, `GET / HTTP/1.1\r\nHost : localhost\r\n\r\n`],
    ]) {
        const answer = await raw(text);
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${code} `), JSON.stringify(text.slice(0, 60)));
        assert.match(answer, /\r\nConnection: close\r\n/);
    }
    await stillServes();
});

test('no request smuggling', async () => {
    // A body for one server could be a request for another. This server accepts no bodies, and ignores all bytes after the request.
    const hidden = 'GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const header of [
        `Content-Length: ${hidden.length}`,
        'Content-Length: 99999999999999999999',
        'Content-Length: -1',
        'Content-Length: 0\r\nContent-Length: 5',
        'Content-Length: 0, 5',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: chunked\r\nContent-Length: 3',
        'transfer-encoding: \tidentity',
    ]) {
        for (const method of ['GET', 'POST']) {
            const answer = await raw(`${method} / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n0\r\n\r\n${hidden}`);
            assert.match(answer, method === 'GET' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 405 /, header);
            assert.equal(answer.split('HTTP/1.1 ').length, 2, header);
        }
    }
});

test('a connection has one request', async () => {
    const one = 'GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answer = await raw(one.repeat(150));
    assert.equal(answer.split('HTTP/1.1 200 OK').length, 2);
    assert.match(answer, /\r\nConnection: close\r\n/); // a client that sent more sends the rest again
});

test('a half-closed client is answered', async () => {
    const answer = await raw('GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n', (socket) => socket.end());
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(await raw('GET /style.css HT', (socket) => socket.end()), '');
});

test('serves only this machine, by its own name', async () => {
    assert.equal(new URL(server.address).hostname, '127.0.0.1');
    const { port } = new URL(server.address);
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost:80', `127.0.0.1:${port}`]) {
        assert.match(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /, host);
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'localhost:x', '127.0.0.1 x', '0.0.0.0', '2130706433']) {
        assert.match(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 421 /, host);
    }
    assert.match(await raw('GET / HTTP/1.1\r\nHost: \r\n\r\n'), /^HTTP\/1\.1 400 /);
    // Not reachable by other addresses of this machine.
    for (const { address, internal, family } of Object.values(networkInterfaces()).flat()) {
        if (internal || family !== 'IPv4') continue;
        const reached = await new Promise((resolve) => {
            const socket = connect({ port: Number(port), host: address, timeout: 1000 }, () => resolve(true));
            socket.on('error', () => resolve(false));
            socket.on('timeout', () => resolve(false));
        });
        assert.equal(reached, false, address);
    }
});

test('silent clients, slow ones and those that never read delay no other client', async () => {
    const silent = Array.from({ length: 100 }, () => open());
    const half = Array.from({ length: 100 }, () => open('GET / HTTP/1.1\r\nHost: local'));
    const deaf = Array.from({ length: 50 }, () => open('GET /terrane.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20), (socket) => socket.pause()));
    await stillServes([...silent, ...half, ...deaf]);
});

test('a client that sends two bytes a second is disconnected', async () => {
    const slow = open('GET / HTTP/1.1\r\nHost: localhost\r\n');
    let answer = '';
    slow.on('data', (bytes) => (answer += bytes));
    const drip = setInterval(() => slow.write('A'), 500);
    await new Promise((resolve) => slow.on('close', resolve).on('end', () => slow.destroy())); // the server closes it
    clearInterval(drip);
    assert.equal(answer, '');
});

test('serves a thousand connections at once', async () => {
    const many = Array.from({ length: 1000 }, () => raw('GET /style.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'));
    for (const answer of await Promise.all(many)) assert.match(answer, /^HTTP\/1\.1 200 /);
    const idle = Array.from({ length: 1000 }, () => open());
    await stillServes(idle);
});

test('a port in use is reported with instructions', () => {
    const { port } = new URL(server.address);
    const second = spawnSync(terrane, ['studio', '--port', port, '--folder', folder], { encoding: 'utf8', timeout: 60000 });
    assert.equal(second.status, 2);
    assert.match(second.stderr, /port \d+ is in use.*--port 0/);
});

test('a folder without a page is reported with instructions', () => {
    const second = spawnSync(terrane, ['studio', '--folder', '/'], { encoding: 'utf8', timeout: 60000 });
    assert.equal(second.status, 2);
    assert.match(second.stderr, /make studio/);
});

test('Ctrl-C and SIGTERM stop it at once, with exit code 0, whatever clients do', async () => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
        const other = await serve();
        assert.equal((await fetch(other.address)).status, 200);
        const port = Number(new URL(other.address).port);
        const clients = ['', 'GET / HTTP/1.1\r\nHost: local', 'GET /terrane.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n'].map((text) =>
            connect(port, '127.0.0.1', function () {
                this.pause().write(text);
            }),
        );
        for (const client of clients) client.on('error', () => {});
        await Promise.all(clients.map(connected));
        assert.equal(await other.stop(signal), 0);
        for (const client of clients) client.destroy();
    }
});

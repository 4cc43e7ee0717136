import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'access', 'job'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const hostile = [
  'javascript:alert(1)',
  ' java\tscript:alert(1)//x.html',
  'java&#115;cript:x',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
];
const usual = ['/system/sample', 'https://example.com/?a=b:c', 'page.html'];

test('an address that runs a script is refused in every menu, with the name of its field', async () => {
  const forms = [
    { url: '/api/things-system/menu/submit', form: { name: '样例', code: 'sample', alias: 'menu', category: 1 }, field: 'path' },
    { url: '/api/blade-system/topmenu/submit', form: { name: '样例', code: 'sample-top' }, field: 'path' },
    { url: '/api/blade-job/job-server/submit', form: { jobServerName: '样例', jobAppName: 'sample', engine: 2, jobAppPassword: 'x' }, field: 'jobServerUrl' },
  ];
  for (const { url, form, field } of forms) {
    for (const address of hostile) {
      const reply = await server.post(url, { ...form, [field]: address }, { headers });
      expect({ url, address, ...reply.body }).toMatchObject({ url, address, code: 400, field });
    }
  }
});

test('usual addresses are accepted, and a button needs none', async () => {
  for (const path of usual) {
    const form = { name: '样例', code: `sample-${usual.indexOf(path)}`, alias: 'menu', category: 1, path };
    const { code, data } = await server.post('/api/things-system/menu/submit', form, { headers });
    expect({ code, path: data.path }).toEqual({ code: 200, path });
    const below = { name: '按钮', code: `button-${data.id}`, alias: 'add', category: 2, parentId: data.id, path: '' };
    expect(await server.post('/api/things-system/menu/submit', below, { headers })).toMatchObject({ code: 200 });
  }
  for (const path of ['', '/part', undefined]) {
    const { code } = await server.post('/api/blade-system/topmenu/submit', { name: '样例', code: `top-${path}`, path }, { headers });
    expect({ path, code }).toEqual({ path, code: 200 });
  }
});

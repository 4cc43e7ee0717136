import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { oauth } from '#shared/auth';
import { files } from '#shared/files';
import { profileProblems, updateInfo } from '#shared/own-profile';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let server: TestServer;
let headers: Record<string, string>;
let others: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer();
  await server.createUser({ account: 'somebody' });
  await server.createUser({ account: 'neighbour' });
  headers = await server.signIn('somebody');
  others = await server.signIn('neighbour');
});
afterAll(() => server.stop());

const whoAmI = async () => (await server.get(oauth.userInfo.path, { headers })).data;
const update = (body: object) => server.post(updateInfo.path, body, { headers });
const picture = async (as: Record<string, string>, fields: Record<string, string>) =>
  (await server.upload(files.upload.path, { name: 'me.png', content: png, fields }, { headers: as })).data.link as string;

test('people change their own name and picture, and take the picture away again', async () => {
  const avatar = await picture(headers, { isPublic: 'true' });
  expect(await update({ name: ' 小行 ', avatar })).toMatchObject({ code: 200 });
  expect(await whoAmI()).toMatchObject({ nick_name: '小行', avatar });
  expect(await update({ avatar: '' })).toMatchObject({ code: 200 });
  expect(await whoAmI()).toMatchObject({ nick_name: '小行', avatar: '' });
});

test('a picture is one’s own and public; addresses elsewhere and those of others are refused', async () => {
  const refused = { status: 400, msg: profileProblems.foreignAvatar.words[0] };
  expect(await update({ avatar: 'https://elsewhere.test/pixel.png' })).toMatchObject(refused);
  expect(await update({ avatar: await picture(others, { isPublic: 'true' }) })).toMatchObject(refused);
  expect(await update({ avatar: await picture(headers, {}) })).toMatchObject(refused);
});

test('nobody changes somebody else, nor what people are found by when they sign in', async () => {
  const before = await whoAmI();
  expect(await update({ id: '1', name: 'x' })).toMatchObject({ status: 403 });
  await update({ realName: '别人', phone: '13800000000', email: 'a@b.test', account: 'root', is_admin: 0 });
  expect(await whoAmI()).toEqual(before);
});

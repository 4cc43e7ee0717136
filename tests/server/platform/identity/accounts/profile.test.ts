import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { oauth } from '#shared/auth';
import { files } from '#shared/files';
import { profileProblems, updateInfo } from '#shared/profile';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

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

test('a picture must belong to the user; external addresses and pictures of others are refused', async () => {
  const refused = { status: 400, msg: profileProblems.avatarNotUploaded.message[0] };
  expect(await update({ avatar: 'https://elsewhere.test/pixel.png' })).toMatchObject(refused);
  expect(await update({ avatar: await picture(others, { isPublic: 'true' }) })).toMatchObject(refused);
  const text = await server.upload(files.upload.path, { name: 'me.txt', content: 'no picture' }, { headers });
  expect(await update({ avatar: text.data.link })).toMatchObject(refused);
});

test('users cannot change other users, nor the fields that identify an account at sign-in', async () => {
  const before = await whoAmI();
  expect(await update({ id: '1', name: 'x' })).toMatchObject({ status: 403 });
  for (const [field, value] of Object.entries({ realName: '别人', phone: '13800000000', email: 'a@b.test' })) {
    const { message: words } = profileProblems[field as 'phone'];
    expect(await update({ name: 'x', [field]: value })).toMatchObject({ status: 403, msg: words[0] });
    expect((await server.post(updateInfo.path, { [field]: value }, { headers: { ...headers, 'accept-language': 'en' } })).msg).toBe(words[1]);
  }
  await update({ account: 'root', is_admin: 0 });
  expect(await whoAmI()).toEqual(before);
});

test('a profile that is sent back unchanged is accepted, with the fields that administrators manage', async () => {
  await server.sql(`update user_account set phone = '13800138000', email = 'me@example.com' where account = 'somebody'`);
  const id = (await whoAmI()).user_id;
  expect(await update({ id, name: '回传', realName: 'somebody', phone: '13800138000', email: 'me@example.com', avatar: '' })).toMatchObject({ code: 200 });
  expect(await update({ id: '', phone: '' })).toMatchObject({ status: 403 });
  expect(await whoAmI()).toMatchObject({ nick_name: '回传' });
});

test('a picture uploaded by BladeX-compatible consoles is stored as returned and stays visible to all users', async () => {
  const path = '/api/blade-resource/oss/endpoint/put-file';
  const { link } = (await server.upload(path, { name: 'me.png', content: png }, { headers })).data;
  expect(link).toContain('signature=');
  expect(await update({ avatar: link })).toMatchObject({ code: 200 });
  const { avatar } = await whoAmI();
  expect(avatar).not.toMatch(/expires|signature/);
  const shown = await server.get(avatar);
  expect(shown.status).toBe(200);
  expect(shown.headers['content-type']).toBe('image/png');
  // Sending it back in either form keeps it.
  expect(await update({ avatar })).toMatchObject({ code: 200 });
  expect(await update({ avatar: link })).toMatchObject({ code: 200 });
  expect((await whoAmI()).avatar).toBe(avatar);
  expect((await update({ avatar: `${avatar}0` })).status).toBe(400);
});

import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { claimPath, openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { serverUrl } from '../../../support/test-database.ts';

type Person = Awaited<ReturnType<TaskOffice['createMember']>>;
let office: TaskOffice;
let ann: Person;
let eve: Person;
let mia: Person;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access'] });
  [ann, eve, mia] = [await office.createMember('ann'), await office.createAuditor('eve'), await office.createAuditor('mia')];
});
afterAll(() => office.server.stop());

interface QueueItem {
  readonly id: string;
  readonly requirement: string;
  readonly twins: { readonly id: string; readonly by: string }[];
}

const publishTask = () => office.publishTask({ quantity: 100, perUserLimit: 0 });
const take = async (by: Person, input: object = {}) => (await office.post(`${taskPath}/audit/take`, input, by.headers)).data as QueueItem[];
const decide = (by: Person, input: object) => office.post(`${taskPath}/doAudit`, input, by.headers);
const undo = (by: Person, ...ids: string[]) => office.post(`${taskPath}/audit/undo`, { ids }, by.headers);
const submitProofs = async (taskId: string, count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await office.submitProof(taskId, ann.headers));
  return ids;
};
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('an approval fills a place and leaves a record that can be paid; a rejection gives its reason and frees the place', async () => {
  const taskId = await publishTask();
  const [good, bad] = (await submitProofs(taskId, 2)) as [string, string];
  expect((await decide(eve, { id: good, status: 1 })).data).toEqual({ count: 1 });
  expect(await decide(eve, { id: bad, status: 2 })).toMatchObject({ status: 400, msg: '请输入驳回原因' });
  expect((await decide(eve, { ids: [bad], status: 2, reason: '没有招牌' })).code).toBe(200);
  expect(await office.taskProgress(taskId)).toMatchObject({ claimed: 1, submitted: 1, passed: 1 });
  const { records } = (await office.get(`${taskPath}/getRecordList`, { taskId_equal: taskId }, eve.headers)).data;
  expect(records).toHaveLength(2);
  expect(records.find(({ id }: QueueItem) => id === good)).toMatchObject({ auditStatus: 1, payStatus: 0, amount: 500, auditorName: 'eve' });
  expect(records.find(({ id }: QueueItem) => id === bad)).toMatchObject({ auditStatus: 2, reason: '没有招牌' });
  expect((await office.get(`${taskPath}/getAuditList`, { taskId_equal: taskId }, eve.headers)).data.total).toBe(0);
});

test('of concurrent decisions on one proof one wins, and the others are refused with the name of its auditor', async () => {
  const [id] = (await submitProofs(await publishTask(), 1)) as [string];
  const replies = await Promise.all(
    [eve, mia, eve, mia, eve].map((by, index) => decide(by, index % 2 ? { id, status: 1 } : { id, status: 2, reason: '不清楚' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  for (const { status, msg } of replies) if (status === 409) expect(msg).toMatch(/已由 (eve|mia) 审核/);
});

test('a role preview sees the queue without leasing it, and cannot decide', async () => {
  const proofs = await submitProofs(await publishTask(), 2);
  const previewer = await office.server.signIn();
  const { roleId } = await office.server.createUser({ account: 'previewed-auditor', codes: ['task_audit'] });
  expect((await office.post('/api/blade-system/role/preview', { roleIds: [roleId] }, previewer)).status).toBe(200);
  const peek = async () => idsOf((await office.get(`${taskPath}/audit/peek`, { size: '50' }, previewer)).data);
  expect(await peek()).toEqual(expect.arrayContaining(proofs));
  expect((await office.post(`${taskPath}/audit/take`, {}, previewer)).status).toBe(403);
  expect((await decide({ headers: previewer } as Person, { id: proofs[0], status: 1 })).status).toBe(403);
  expect(await office.server.sql(`select * from task_audit_lease where submission_id in (${proofs.join(', ')})`)).toEqual([]);
  expect(idsOf(await take(eve, { size: 50 }))).toEqual(expect.arrayContaining(proofs));
  expect(await peek()).not.toEqual(expect.arrayContaining(proofs));
  await office.post(`${taskPath}/audit/release`, { ids: proofs }, eve.headers);
});

test('items leased by one auditor are not offered to others until they are released or expire', async () => {
  const taskId = await publishTask();
  const proofs = await submitProofs(taskId, 6);
  const [first, second] = await Promise.all([take(eve, { taskId, size: 3 }), take(mia, { taskId, size: 3 })]);
  expect([...idsOf(first), ...idsOf(second)].sort()).toEqual([...proofs].sort());
  expect(idsOf(await take(eve, { taskId, size: 3 }))).toEqual(idsOf(first));
  expect(first[0]?.requirement).toBe('出现招牌');
  const [leased] = idsOf(first) as [string];
  expect(await decide(mia, { id: leased, status: 1 })).toMatchObject({ status: 409, msg: '「拍一条面包视频」正由 eve 审核' });
  await office.post(`${taskPath}/audit/release`, { ids: [leased] }, mia.headers);
  expect((await decide(mia, { id: leased, status: 1 })).status).toBe(409);
  await office.post(`${taskPath}/audit/release`, { ids: [leased] }, eve.headers);
  expect((await decide(mia, { id: leased, status: 1 })).status).toBe(200);
  await office.server.sql(`update task_audit_lease set until = now() - interval '1 second' where submission_id = ${idsOf(first)[1]}`);
  expect(idsOf(await take(mia, { taskId, size: 10 }))).toContain(idsOf(first)[1]);
});

test('auditors who request proofs at the same time get different ones', async () => {
  const taskId = await publishTask();
  const proofs = await submitProofs(taskId, 20);
  const auditors = await Promise.all(Array.from({ length: 5 }, (_, index) => office.createAuditor(`auditor${index}`)));
  const taken = (await Promise.all(auditors.map((by) => take(by, { taskId, size: 4 })))).map(idsOf);
  expect(taken.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4]);
  expect(new Set(taken.flat())).toEqual(new Set(proofs));
});

test.skipIf(!serverUrl)('a proof that another transaction reads under a shared lock is leased, one that it is deciding is not', async () => {
  const taskId = await publishTask();
  const proofs = await submitProofs(taskId, 2);
  const takeWhile = (lock: string) => {
    // Bound outside the transaction, so that the request does not join it.
    const takeOutside = AsyncResource.bind(() => take(eve, { taskId }));
    return office.server.db.asPlatform('a test locks proofs', async () => {
      await office.server.db.sql.execute(`select from task_submission where task_id = ${taskId} for ${lock}`);
      return takeOutside();
    });
  };
  expect(await takeWhile('update')).toEqual([]);
  expect(idsOf(await takeWhile('share'))).toEqual(proofs);
});

test('users cannot audit their own proof, neither directly nor from the queue', async () => {
  const taskId = await publishTask();
  const [id] = (await submitProofs(taskId, 1)) as [string];
  await office.server.sql(`update task_submission set user_id = ${eve.userId} where id = ${id}`);
  expect(await decide(eve, { id, status: 1 })).toMatchObject({ status: 403 });
  expect(await take(eve, { taskId })).toEqual([]);
  expect(idsOf(await take(mia, { taskId }))).toEqual([id]);
});

test('only its auditor can undo a decision, within a time limit, before payment, and while the place is still free', async () => {
  const taskId = await office.publishTask({ quantity: 1, perUserLimit: 0 });
  const [id] = (await submitProofs(taskId, 1)) as [string];
  await decide(eve, { id, status: 1 });
  expect(await office.taskProgress(taskId)).toMatchObject({ status: 4, passed: 1 });
  expect((await undo(mia, id)).status).toBe(409);
  expect((await undo(eve, id)).code).toBe(200);
  expect(await office.taskProgress(taskId)).toEqual({ status: 2, claimed: 1, submitted: 1, passed: 0 });
  await decide(eve, { id, status: 2, reason: '不符' });
  await office.post(`${claimPath}/claim`, { taskId }, ann.headers);
  expect(await undo(eve, id)).toMatchObject({ status: 409, msg: '名额已被他人领取，不能撤销驳回' });
  const [late] = (await submitProofs(await publishTask(), 1)) as [string];
  await decide(eve, { id: late, status: 1 });
  await office.server.sql(`update task_submission set audit_time = now() - interval '2 minutes' where id = ${late}`);
  expect(await undo(eve, late)).toMatchObject({ status: 409, msg: '已超过可撤销的时间' });
  const [paid] = (await submitProofs(await publishTask(), 1)) as [string];
  await decide(eve, { id: paid, status: 1 });
  await office.server.sql(`update task_submission set pay_status = 2 where id = ${paid}`);
  expect((await undo(eve, paid)).status).toBe(409);
  await office.server.sql(`update task_submission set pay_status = 0 where id = ${paid}`);
  expect((await undo(eve, paid)).code).toBe(200);
});

test('the history of a proof has the trimmed reason of a rejection, and none for an approval', async () => {
  const [good, bad] = (await submitProofs(await publishTask(), 2)) as [string, string];
  await decide(eve, { id: good, status: 1, reason: '清楚' });
  await decide(eve, { id: bad, status: 2, reason: ' 不清楚 ' });
  const reasonOf = async (id: string) => {
    const changes = await office.server.sql(`select fields from record_change where entity = 'task_submission' and record_id = ${id} order by id desc limit 1`);
    return JSON.parse(JSON.stringify(changes[0]?.fields)).reason;
  };
  expect([await reasonOf(good), await reasonOf(bad)]).toEqual([undefined, [null, '不清楚']]);
});

test('a batch is decided whole or not at all', async () => {
  const proofs = await submitProofs(await publishTask(), 3);
  await decide(eve, { id: proofs[1], status: 1 });
  expect(await decide(mia, { ids: proofs, status: 1 })).toMatchObject({ status: 409 });
  expect((await decide(mia, { ids: [proofs[0], proofs[2]], status: 1 })).data).toEqual({ count: 2 });
});

test('a proof lists the earlier ones with the same link or the same picture', async () => {
  const taskId = await publishTask();
  const upload = async () =>
    (await office.server.upload('/api/file/uploadFile', { name: 'a.png', content: Buffer.from(pngBase64, 'base64') }, { headers: ann.headers })).data
      .link as string;
  const first = await office.submitProof(taskId, ann.headers, { link: 'https://www.douyin.com/video/7?utm_source=a', images: [await upload()] });
  const second = await office.submitProof(taskId, ann.headers, { link: 'https://m.douyin.com/video/7?share_id=2' });
  const third = await office.submitProof(taskId, ann.headers, { images: [await upload()] });
  const items = await take(mia, { taskId });
  const duplicatesOf = (id: string) => items.find((item) => item.id === id)?.twins.map(({ id, by }) => ({ id, by }));
  expect(duplicatesOf(second)).toEqual([{ id: first, by: 'link' }]);
  expect(duplicatesOf(third)).toContainEqual({ id: first, by: 'image' });
  const images = (items.find(({ id }) => id === first) as unknown as { images: string[] }).images;
  expect((await office.server.get(images[0] as string)).status).toBe(200);
});

test('counts have the length of the queue, figures the approvals of each auditor, and consoles are notified of changes', async () => {
  const taskId = await publishTask();
  const before = (await office.get(`${taskPath}/audit/counts`, {}, mia.headers)).data;
  const [id] = (await submitProofs(taskId, 1)) as [string];
  expect((await office.get(`${taskPath}/audit/counts`, {}, mia.headers)).data).toMatchObject({ pending: before.pending + 1 });
  const [last] = await office.server.sql('select coalesce(max(id), 0)::text as id from live_event');
  await decide(mia, { id, status: 1 });
  expect((await office.get(`${taskPath}/audit/counts`, {}, mia.headers)).data).toMatchObject({ pending: before.pending, passedToday: before.passedToday + 1 });
  const figures = (await office.get(`${taskPath}/audit/figures`, {}, mia.headers)).data as { auditorName: string; passed: number }[];
  expect(figures.find(({ auditorName }) => auditorName === 'mia')?.passed).toBe(before.passedToday + 1);
  const notifications = () => office.server.sql(`select 1 from live_event where name = 'task:queue-changed' and id > ${last?.id}`);
  await expect.poll(notifications, { timeout: 10_000, interval: 200 }).not.toEqual([]);
});

const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

import { expect } from '@rstest/core';
import { secretHash } from '#server';
import { openTestServer, password, type Reply, type TestServer, type TestServerOptions } from './test-server.ts';

export const taskPath = '/api/things-task/task';
export const claimPath = '/api/things-task/claim';
export const taskPlugins = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task'] as const;

/** Credit limit that covers any task of a test, in cents of a yuan (分). */
const ampleCredit = 100_000_000_000;

type Headers = Record<string, string>;

/** Server with the base data of tasks and the users who work with them. */
export interface TaskOffice {
  readonly server: TestServer;
  readonly admin: Headers;
  /** Ids that the form of a task requires. */
  readonly requiredIds: { advertiserId: string; platformId: string; categoryId: string; gradeId: string };
  post(path: string, body: object, headers?: Headers): Promise<Reply>;
  get(path: string, query?: Record<string, string>, headers?: Headers): Promise<Reply>;
  /** Adds a task and returns its row. */
  addTask(fields?: object): Promise<{ id: string; status: number } & Record<string, unknown>>;
  /** Adds a published task and returns its id. Its advertiser has credit for it during the publication only, so that a test sets the balance itself. */
  publishTask(fields?: object): Promise<string>;
  /** Creates a member who has signed in to the mini-app. */
  createMember(account: string): Promise<{ userId: string; headers: Headers }>;
  /** Creates an auditor. */
  createAuditor(account: string): Promise<{ userId: string; headers: Headers }>;
  /** Claims a task and submits proof; returns the id of the submission. */
  submitProof(taskId: string, headers: Headers, fields?: object): Promise<string>;
  /** Returns the status of a task and its numbers of claimed, submitted and approved places. */
  taskProgress(taskId: string): Promise<Record<string, unknown>>;
}

export async function openTaskOffice({ plugins = [], timeScale = 8, ...options }: TestServerOptions = {}): Promise<TaskOffice> {
  const server = await openTestServer({ ...options, timeScale, plugins: [...taskPlugins, ...plugins] });
  const admin = await server.signIn();
  await server.sql(`update client set secret_hash = '${secretHash('mini')}', authorized_grant_types = '["password"]' where client_id = 'miniapp'`);
  const post: TaskOffice['post'] = (path, body, headers = admin) => server.post(path, body, { headers });
  const get: TaskOffice['get'] = (path, query = {}, headers = admin) => server.get(path, { headers, query });
  const addBaseData = async (call: string, form: object) => {
    const reply = await post(`/api/oms-system/base/${call}`, form);
    expect(reply.code, reply.msg).toBe(200);
    return reply.data.id as string;
  };
  const requiredIds = {
    advertiserId: await addBaseData('addadvertiser', { name: '面包店', contact_name: '王小麦', contact_phone: '13800000001' }),
    platformId: await addBaseData('addplatform', { name: '抖音', code: 'douyin', link_pattern: '*.douyin.com/video/*' }),
    categoryId: await addBaseData('addcategory', { name: '短视频', parentId: '0' }),
    gradeId: await addBaseData('addtaskgrade', { name: '普通', level: 1, min_price: 100, max_price: 5000 }),
  };
  const office: TaskOffice = {
    server,
    admin,
    requiredIds,
    post,
    get,
    async addTask(fields = {}) {
      const reply = await post(`${taskPath}/submit`, {
        title: '拍一条面包视频',
        requirement: '出现招牌',
        unitPrice: 500,
        quantity: 3,
        ...requiredIds,
        ...fields,
      });
      expect(reply.code, reply.msg).toBe(200);
      return reply.data;
    },
    async publishTask(fields = {}) {
      const { id } = await office.addTask(fields);
      const raiseCredit = (amount: number) =>
        server.sql(`update advertiser set credit_limit = credit_limit + ${amount} where id = (select advertiser_id from task where id = ${id})`);
      await raiseCredit(ampleCredit);
      const reply = await post(`${taskPath}/publish`, { ids: [id] });
      await raiseCredit(-ampleCredit);
      expect(reply.code, reply.msg).toBe(200);
      return id;
    },
    async createMember(account) {
      const { userId } = await server.createUser({ account });
      const { body } = await server.post(
        '/api/things-auth/oauth/token',
        { grant_type: 'password', tenantId: '000000', username: account, password },
        { headers: { authorization: `Basic ${btoa('miniapp:mini')}` } },
      );
      return { userId, headers: { 'things-auth': `bearer ${body.access_token}` } };
    },
    async createAuditor(account) {
      const { userId } = await server.createUser({ account, codes: ['task_audit', 'task_record'] });
      return { userId, headers: await server.signIn(account) };
    },
    async submitProof(taskId, headers, fields = {}) {
      const claimed = await post(`${claimPath}/claim`, { taskId }, headers);
      expect(claimed.code, claimed.msg).toBe(200);
      const link = `https://www.douyin.com/video/${claimed.data.id}`;
      const submitted = await post(`${claimPath}/submit`, { id: claimed.data.id, link, ...fields }, headers);
      expect(submitted.code, submitted.msg).toBe(200);
      return claimed.data.id;
    },
    async taskProgress(taskId) {
      const [row] = await server.sql(`select status, claimed, submitted, passed from task where id = ${taskId}`);
      return row ?? {};
    },
  };
  return office;
}

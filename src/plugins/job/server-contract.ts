import { Array as List, Literal, Optional as Omissible, Object as Shape, type Static, Union, Unsafe } from 'typebox';
import { crud, entity, get, post, type RowOf } from '#shared/contract';
import { Choice, Id, LongText, Optional, Secret, Text } from '#shared/fields';
import { jobServerMenu } from './menus.ts';

const path = '/api/blade-job/job-server';
const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** Who runs the jobs of an application: the replicas of this deployment, or a PowerJob server. */
export const engines = { embedded: 1, powerJob: 2 } as const;
/** How a PowerJob server is signed in to: by name and password in each call, or for a token (from 5.1 on, where the server asks for one). */
export const signIns = { assert: 1, token: 2 } as const;

const ofPowerJob = { field: 'engine', is: engines.powerJob } as const;
const asked = { visible: ofPowerJob, requiredWhen: ofPowerJob } as const;

/** Who runs jobs: an application, and the engine it runs on. */
export const JobServer = entity('job_server', {
  id: Id(),
  jobServerName: Text({ title: ['服务名称', 'Service name'], maxLength: 64, search: true }),
  engine: Choice({
    title: ['引擎', 'Engine'],
    options: [
      [engines.embedded, ['内置', 'Built in']],
      [engines.powerJob, ['PowerJob', 'PowerJob']],
    ],
    default: engines.embedded,
    search: true,
    fixed: true,
  }),
  jobServerUrl: Optional(
    Text({
      title: ['服务地址', 'Address'],
      maxLength: 1000,
      placeholder: ['127.0.0.1:7700', '127.0.0.1:7700'],
      help: [
        '多个地址以逗号分隔，依次尝试；内网地址须由部署放行（EGRESS_ALLOW）',
        'Several with commas between, tried in turn. EGRESS_ALLOW lets addresses inside through',
      ],
      width: 200,
      ...asked,
    }),
  ),
  jobAppName: Text({ title: ['应用名称', 'Application'], maxLength: 64, search: true, copyable: true }),
  jobAppPassword: Optional(
    Secret({ title: ['应用密码', 'Password'], visible: ofPowerJob, requiredWhen: { all: [ofPowerJob, { field: 'id', filled: false }] } }),
  ),
  signIn: Choice({
    title: ['认证方式', 'Sign-in'],
    options: [
      [signIns.assert, ['应用名与密码', 'Name and password']],
      [signIns.token, ['令牌（5.1 起）', 'Token (from 5.1 on)']],
    ],
    default: signIns.assert,
    list: false,
    visible: ofPowerJob,
  }),
  jobRemark: Optional(LongText({ title: ['备注', 'Remark'], maxLength: 1000 })),
});
export type JobServerRow = RowOf<typeof JobServer>;

/** Which way a difference is settled: what stands here goes there, or the other way round; what one side lacks is removed from the other where the lacking side wins. */
export const ways = { push: 'push', pull: 'pull' } as const;
export type Way = keyof typeof ways;

const Difference = Shape({
  /** Of the row, by which a choice names it. */
  key: text(64),
  name: text(255),
  kind: Union([Literal('here'), Literal('there'), Literal('differs')]),
  /** By the name of the field, as each side would be written here. */
  fields: List(Shape({ field: text(64), here: text(20_000), there: text(20_000) })),
  /** Why it cannot be taken over; '' where it can. */
  unsupported: text(500),
});
/** What a job is here and what it is on the PowerJob server. */
export type JobDifference = Static<typeof Difference>;

const Chosen = Shape({ key: text(64), way: Union([Literal('push'), Literal('pull')]) });
const maySync = { code: 'jobserver_sync' };

const {
  export: _export,
  import: _import,
  importTemplate: _template,
  importPreview: _preview,
  importMapping: _mapping,
  ...serverCalls
} = crud(path, JobServer, { menu: jobServerMenu.code });

export const jobServer = {
  ...serverCalls,
  /** What jobs may run on; labelled by `jobAppName`. */
  select: get(`${path}/select`, {
    title: ['任务应用下拉', 'Applications'],
    who: 'signedIn',
    input: Shape({ ids: Omissible(text(4000)) }),
    reply: List(Shape({ id: Id(), jobServerName: JobServer.fields.jobServerName, jobAppName: JobServer.fields.jobAppName, engine: JobServer.fields.engine })),
  }),
  /** Jobs that are not the same here and there. */
  differences: get(`${path}/sync-detail`, { title: ['同步预览', 'Differences'], who: maySync, input: Shape({ id: Id() }), reply: List(Difference) }),
  /** Settles the chosen differences of one application; without an `id` all differences of all applications: what is here leads, what is only there is taken over. */
  sync: post(`${path}/sync`, {
    title: ['数据同步', 'Synchronise'],
    who: maySync,
    input: Shape({ id: Omissible(Id()), choices: Omissible(List(Chosen, { maxItems: 5000 })) }),
    reply: Shape({ done: Unsafe<number>({ type: 'integer' }), failed: List(Shape({ name: text(255), reason: text(2000) })) }),
  }),
};

import { Array as List, Literal, Optional as Omissible, Object as Shape, type Static, Union, Unsafe } from 'typebox';
import { crud, entity, get, post, type RowOf } from '#shared/contract';
import { Choice, Id, LongText, Optional, Secret, Text } from '#shared/fields';
import { jobServerMenu } from './menus.ts';

const path = '/api/blade-job/job-server';
const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** Engines that run the jobs of an application: the replicas of this deployment, or a PowerJob server. */
export const engines = { embedded: 1, powerJob: 2 } as const;
/** Authentication at a PowerJob server: name and password in each call, or a token (from version 5.1, when the server requires one). */
export const signIns = { assert: 1, token: 2 } as const;

const ofPowerJob = { field: 'engine', is: engines.powerJob } as const;
const asked = { visible: ofPowerJob, requiredWhen: ofPowerJob } as const;
const engine = {
  title: ['引擎', 'Engine'],
  options: [
    [engines.embedded, ['内置', 'Built-in']],
    [engines.powerJob, ['PowerJob', 'PowerJob']],
  ],
  search: true,
  fixed: true,
} as const;

/** Application that owns jobs, with the engine it runs on. */
export const JobServer = entity('job_server', {
  id: Id(),
  jobServerName: Text({ title: ['服务名称', 'Service name'], maxLength: 64, search: true }),
  engine: Choice({ ...engine, default: engines.embedded }),
  jobServerUrl: Optional(
    Text({
      title: ['服务地址', 'Address'],
      maxLength: 1000,
      placeholder: ['127.0.0.1:7700', '127.0.0.1:7700'],
      help: [
        '多个地址以逗号分隔，依次尝试；内网地址须由部署放行（EGRESS_ALLOW）',
        'Separate addresses with commas; they are tried in order. Private addresses must be allowed by EGRESS_ALLOW',
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
    title: ['认证方式', 'Authentication'],
    options: [
      [signIns.assert, ['应用名与密码', 'Name and password']],
      [signIns.token, ['令牌（5.1 起）', 'Token (5.1 or later)']],
    ],
    default: signIns.assert,
    list: false,
    visible: ofPowerJob,
  }),
  jobRemark: Optional(LongText({ title: ['备注', 'Remark'], maxLength: 1000 })),
});
export type JobServerRow = RowOf<typeof JobServer>;

/** PowerJob clients send no engine: a new row with an address or a password then uses PowerJob, any other the built-in engine. */
const ServerForm = Shape({ ...JobServer.form.properties, engine: Omissible(Choice(engine)) }, { additionalProperties: false });

/** Directions to resolve a difference: `push` applies the local state at PowerJob, `pull` the opposite. A job missing on the winning side is removed from the other. */
export const ways = { push: 'push', pull: 'pull' } as const;
export type Way = keyof typeof ways;

const Difference = Shape({
  /** Key by which a selection names the row. */
  key: text(64),
  name: text(255),
  kind: Union([Literal('here'), Literal('there'), Literal('differs')]),
  /** Differing values by field name, each side in the notation of this system. */
  fields: List(Shape({ field: text(64), here: text(20_000), there: text(20_000) })),
  /** Reason the job cannot be imported; '' when it can. */
  unsupported: text(500),
});
/** Job with its local and its PowerJob version. */
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
} = crud(path, JobServer, { menu: jobServerMenu.code, input: ServerForm });

export const jobServer = {
  ...serverCalls,
  /** Lists the applications jobs can belong to, labelled by `jobAppName`. */
  select: get(`${path}/select`, {
    title: ['任务应用下拉', 'Applications'],
    who: 'signedIn',
    input: Shape({ ids: Omissible(text(4000)) }),
    reply: List(Shape({ id: Id(), jobServerName: JobServer.fields.jobServerName, jobAppName: JobServer.fields.jobAppName, engine: JobServer.fields.engine })),
  }),
  /** Lists jobs that differ between this system and PowerJob. */
  differences: get(`${path}/sync-detail`, { title: ['同步预览', 'Sync preview'], who: maySync, input: Shape({ id: Id() }), reply: List(Difference) }),
  /** Resolves the selected differences of one application. Without an `id` it resolves all of all applications: local jobs win, and jobs only PowerJob has are imported. */
  sync: post(`${path}/sync`, {
    title: ['数据同步', 'Sync'],
    who: maySync,
    input: Shape({ id: Omissible(Id()), choices: Omissible(List(Chosen, { maxItems: 5000 })) }),
    reply: Shape({ done: Unsafe<number>({ type: 'integer' }), failed: List(Shape({ name: text(255), reason: text(2000) })) }),
  }),
};

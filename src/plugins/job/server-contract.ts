import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, post, type RowOf } from '#shared/contract';
import { Id, LongText, Nullable, Secret, Select, Text } from '#shared/fields';
import { jobServerMenu } from './menus.ts';

const path = '/api/blade-job/job-server';
const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

/** Engines that run the jobs of an application: the replicas of this deployment, or a PowerJob server. */
export const engines = { embedded: 1, powerJob: 2 } as const;
/** Authentication at a PowerJob server: name and password in each call, or a token (from version 5.1, when the server requires one). */
export const signIns = { assert: 1, token: 2 } as const;

const ofPowerJob = { field: 'engine', is: engines.powerJob } as const;
const requiredForPowerJob = { visible: ofPowerJob, requiredWhen: ofPowerJob } as const;
const engine = {
  title: ['引擎', 'Engine'],
  options: [
    [engines.embedded, ['内置', 'Built-in']],
    [engines.powerJob, ['PowerJob', 'PowerJob']],
  ],
  search: true,
  immutable: true,
} as const;

/** Application that owns jobs, with the engine it runs on. */
export const JobServer = entity('job_server', {
  id: Id(),
  jobServerName: Text({ title: ['服务名称', 'Service name'], maxLength: 64, search: true }),
  engine: Select({ ...engine, default: engines.embedded }),
  jobServerUrl: Nullable(
    Text({
      title: ['服务地址', 'Address'],
      maxLength: 1000,
      placeholder: ['127.0.0.1:7700', '127.0.0.1:7700'],
      help: [
        '多个地址以逗号分隔，依次尝试；内网地址须由部署放行（EGRESS_ALLOW）',
        'Separate addresses with commas; they are tried in order. Private addresses must be allowed by EGRESS_ALLOW',
      ],
      width: 200,
      ...requiredForPowerJob,
    }),
  ),
  jobAppName: Text({ title: ['应用名称', 'Application'], maxLength: 64, search: true, copyable: true }),
  jobAppPassword: Nullable(
    Secret({ title: ['应用密码', 'Password'], visible: ofPowerJob, requiredWhen: { all: [ofPowerJob, { field: 'id', filled: false }] } }),
  ),
  signIn: Select({
    title: ['认证方式', 'Authentication'],
    options: [
      [signIns.assert, ['应用名与密码', 'Name and password']],
      [signIns.token, ['令牌（5.1 起）', 'Token (5.1 or later)']],
    ],
    default: signIns.assert,
    list: false,
    visible: ofPowerJob,
  }),
  jobRemark: Nullable(LongText({ title: ['备注', 'Remark'], maxLength: 1000 })),
});
export type JobServerRow = RowOf<typeof JobServer>;

/** PowerJob clients send no engine: a new row with an address or a password then uses PowerJob, any other the built-in engine. */
const ServerForm = Type.Object({ ...JobServer.form.properties, engine: Type.Optional(Select(engine)) }, { additionalProperties: false });

/** Directions to resolve a difference: `push` applies the local state at PowerJob, `pull` the opposite. A job missing on the winning side is removed from the other. */
export const syncDirections = { push: 'push', pull: 'pull' } as const;
export type SyncDirection = keyof typeof syncDirections;

const Difference = Type.Object({
  /** Key by which a selection names the row. */
  key: text(64),
  name: text(255),
  kind: Type.Union([Type.Literal('here'), Type.Literal('there'), Type.Literal('differs')]),
  /** Differing values by field name, each side in the notation of this system. */
  fields: Type.Array(Type.Object({ field: text(64), here: text(20_000), there: text(20_000) })),
  /** Reason the job cannot be imported; '' when it can. */
  unsupported: text(500),
});
/** Job with its local and its PowerJob version. */
export type JobDifference = Static<typeof Difference>;

const SyncChoice = Type.Object({ key: text(64), way: Type.Union([Type.Literal('push'), Type.Literal('pull')]) });
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
    access: 'signedIn',
    input: Type.Object({ ids: Type.Optional(text(4000)) }),
    reply: Type.Array(
      Type.Object({ id: Id(), jobServerName: JobServer.fields.jobServerName, jobAppName: JobServer.fields.jobAppName, engine: JobServer.fields.engine }),
    ),
  }),
  /** Lists jobs that differ between this system and PowerJob. */
  differences: get(`${path}/sync-detail`, {
    title: ['同步预览', 'Sync preview'],
    access: maySync,
    input: Type.Object({ id: Id() }),
    reply: Type.Array(Difference),
  }),
  /** Resolves the selected differences of one application. Without an `id` it resolves all of all applications: local jobs win, and jobs only PowerJob has are imported. */
  sync: post(`${path}/sync`, {
    title: ['数据同步', 'Sync'],
    access: maySync,
    input: Type.Object({ id: Type.Optional(Id()), choices: Type.Optional(Type.Array(SyncChoice, { maxItems: 5000 })) }),
    reply: Type.Object({ done: Type.Unsafe<number>({ type: 'integer' }), failed: Type.Array(Type.Object({ name: text(255), reason: text(2000) })) }),
  }),
};

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, post, type RowOf, withoutCalls } from '#shared/contract';
import { Id, LongText, Nullable, Secret, Select, Text } from '#shared/fields';
import { jobServerMenu } from './menus.ts';

const path = '/api/blade-job/job-server';
const text = (maxLength: number) => Type.String({ maxLength });

/** Engines that run the jobs of an application: the replicas of this deployment, or a PowerJob server. */
export const engineTypes = { embedded: 1, powerJob: 2 } as const;
/** Authentication at a PowerJob server: name and password in each call, or a token (from version 5.1, when the server requires one). */
export const authMethods = { assert: 1, token: 2 } as const;

const isPowerJob = { field: 'engine', is: engineTypes.powerJob } as const;
const requiredForPowerJob = { visible: isPowerJob, requiredWhen: isPowerJob } as const;
const engine = {
  title: ['引擎', 'Engine'],
  options: [
    [engineTypes.embedded, ['内置', 'Built-in']],
    [engineTypes.powerJob, ['PowerJob', 'PowerJob']],
  ],
  search: true,
  immutable: true,
} as const;

/** Application that owns jobs, with the engine it runs on. */
export const JobServer = entity(
  'job_server',
  {
    id: Id(),
    jobServerName: Text({ title: ['服务名称', 'Service name'], maxLength: 64, search: true }),
    engine: Select({ ...engine, default: engineTypes.embedded }),
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
      Secret({ title: ['应用密码', 'Password'], visible: isPowerJob, requiredWhen: { all: [isPowerJob, { field: 'id', filled: false }] } }),
    ),
    signIn: Select({
      title: ['认证方式', 'Authentication'],
      options: [
        [authMethods.assert, ['应用名与密码', 'Name and password']],
        [authMethods.token, ['令牌（5.1 起）', 'Token (5.1 or later)']],
      ],
      default: authMethods.assert,
      list: false,
      visible: isPowerJob,
    }),
    jobRemark: Nullable(LongText({ title: ['备注', 'Remark'], maxLength: 1000 })),
  },
  { archivable: true },
);
export type JobServerRow = RowOf<typeof JobServer>;

/** PowerJob clients send no engine: a new row with an address or a password then uses PowerJob, any other the built-in engine. */
const ServerForm = Type.Object({ ...JobServer.form.properties, engine: Type.Optional(Select(engine)) }, { additionalProperties: false });

const SyncDirection = Type.Union([Type.Literal('push'), Type.Literal('pull')]);
/** Direction in which a difference is resolved: `push` applies the local state at PowerJob, `pull` the opposite. A job missing on the winning side is removed from the other. */
export type SyncDirection = Static<typeof SyncDirection>;

const Difference = Type.Object({
  /** Identifies the difference in a selection. */
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

const SyncChoice = Type.Object({ key: text(64), way: SyncDirection });
const syncAccess = { code: 'jobserver_sync' };

const serverCalls = withoutCalls(crud(path, JobServer, { menu: jobServerMenu.code, input: ServerForm }), 'export', 'import');

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
  /** Lists the jobs that differ between this system and PowerJob. */
  differences: get(`${path}/sync-detail`, {
    title: ['同步预览', 'Sync preview'],
    access: syncAccess,
    input: Type.Object({ id: Id() }),
    reply: Type.Array(Difference),
  }),
  /** Resolves the selected differences of one application. Without `choices` it resolves all of them, and without an `id` those of every application: local jobs win, and jobs that only PowerJob has are imported. */
  sync: post(`${path}/sync`, {
    title: ['数据同步', 'Sync'],
    access: syncAccess,
    input: Type.Object({ id: Type.Optional(Id()), choices: Type.Optional(Type.Array(SyncChoice, { maxItems: 5000 })) }),
    reply: Type.Object({ done: Type.Integer(), failed: Type.Array(Type.Object({ name: text(255), reason: text(2000) })) }),
  }),
};

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BatchIds, BatchReply, ById, crud, entity, get, list, NoInput, PageOf, post, type RowOf, webhookEvent, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Flag, Id, Integer, LongText, MultiSelect, Nullable, Reference, Select, Text, Url } from '#shared/fields';
import { webhookDeliveryMenu, webhookMenu } from './menus.ts';

const path = '/api/webhooks';
const eventsPath = `${path}/event/list`;

/** Event by which users test an endpoint. */
export const webhookTested = webhookEvent({
  name: 'webhook.tested',
  title: ['测试事件', 'Test event'],
  data: Type.Object({ endpointId: Id() }),
});

/** Causes for which the server has disabled an endpoint. */
export const disabledReasons = { gone: 'gone', failing: 'failing' } as const;

/** Server of a tenant that receives events. */
export const Endpoint = entity('webhook_endpoint', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, placeholder: ['订单系统', 'Order system'] }),
  url: Url({
    title: ['接收地址', 'URL'],
    placeholder: ['https://example.com/webhooks', 'https://example.com/webhooks'],
    help: ['以 POST 接收 JSON，须为 https 地址', 'Receives JSON by POST. It must be an https address'],
    search: true,
    width: 280,
  }),
  events: MultiSelect(
    Reference({
      title: ['事件', 'Events'],
      onDelete: 'keep',
      from: { call: { path: eventsPath }, value: 'name', title: 'title', maxLength: 64 },
      width: 220,
    }),
  ),
  isEnabled: Flag({
    title: ['启用', 'Enabled'],
    default: true,
    search: true,
    help: ['停用期间发生的事件不会补发', 'Events that occur while it is off are not sent later'],
  }),
  disabledReason: Nullable(
    Select({
      title: ['停用原因', 'Disabled because'],
      form: false,
      options: [
        [disabledReasons.gone, ['接收方返回 410', 'Answered 410 Gone']],
        [disabledReasons.failing, ['连续多日失败', 'Failed for days']],
      ],
      list: false,
    }),
  ),
  remark: Nullable(Text({ title: ['备注', 'Note'], list: false })),
  formerSecretUntil: Nullable(DateTime({ title: ['旧密钥有效至', 'Former secret valid until'], form: false, list: false })),
});
export type EndpointRow = RowOf<typeof Endpoint>;

const count = Type.Integer({ minimum: 0 });
const Activity = Type.Object({
  /** Deliveries of the last 24 hours: those that arrived, and those whose latest attempt failed. */
  delivered: count,
  failed: count,
  /** Deliveries that were given up and can be sent again. */
  givenUp: count,
  lastDelivery: Type.Unsafe<{ readonly state: number; readonly time: string } | null>({
    type: ['object', 'null'],
    properties: { state: Type.Integer(), time: Type.String() },
  }),
});
/** Activity of an endpoint, beside its row in the list. */
export type EndpointActivity = Static<typeof Activity>;

const calls = withoutCalls(crud(`${path}/endpoint`, Endpoint, { menu: webhookMenu.code }), 'export', 'import', 'bulkSubmit');
const mayRead = { code: webhookMenu.code };
const mayReadDeliveries = { code: webhookDeliveryMenu.code };
const mayResend = { code: 'webhook_delivery_resend' };

/** Values of `state` of a delivery. */
export const deliveryStates = { queued: 0, sending: 1, delivered: 2, failed: 3 } as const;

/** Causes of a failed attempt. */
export const deliveryFailures = {
  status: ['接收方返回错误', 'Error response'],
  refused: ['连接被拒绝', 'Connection refused'],
  unreachable: ['找不到服务器', 'Server not found'],
  timeout: ['10 秒内未响应', 'No response within 10 seconds'],
  blocked: ['不允许访问内部地址', 'Internal addresses are not allowed'],
  tls: ['证书无效或加密连接失败', 'Invalid certificate or TLS failure'],
  connection: ['连接中断', 'Connection lost'],
  disabled: ['接收端已停用', 'Endpoint disabled'],
} as const;
export type DeliveryFailure = keyof typeof deliveryFailures;

/** One event for one endpoint: the queue, and the log once it has arrived or was given up. Response and duration are those of the latest attempt. */
export const Delivery = entity(
  'webhook_delivery',
  {
    id: Id(),
    event: Text({ title: ['事件', 'Event'], maxLength: 64, search: true, width: 190 }),
    endpointId: Reference({
      title: ['接收端', 'Endpoint'],
      onDelete: 'keep',
      from: { call: calls.list, search: 'name', paged: true },
      search: true,
      width: 140,
    }),
    attemptedAt: Nullable(DateTime({ title: ['上次尝试', 'Last attempt'], width: 180 })),
    state: Select({
      title: ['状态', 'Status'],
      options: [
        [deliveryStates.queued, ['待发送', 'Queued']],
        [deliveryStates.sending, ['发送中', 'Sending']],
        [deliveryStates.delivered, ['已送达', 'Delivered']],
        [deliveryStates.failed, ['失败', 'Failed']],
      ],
      tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger' },
      search: true,
      width: 110,
    }),
    failure: Nullable(
      Select({
        title: ['失败原因', 'Failure'],
        options: (Object.keys(deliveryFailures) as DeliveryFailure[]).map((name) => [name, deliveryFailures[name]] as const),
        search: true,
        width: 200,
      }),
    ),
    responseStatus: Nullable(Integer({ title: ['HTTP 状态', 'HTTP status'], minimum: 0, width: 110 })),
    attempts: Integer({ title: ['次数', 'Attempts'], minimum: 0, width: 90 }),
    durationMs: Nullable(Integer({ title: ['耗时', 'Duration'], minimum: 0, unit: ['毫秒', 'ms'], width: 110 })),
    dueAt: Nullable(DateTime({ title: ['下次尝试', 'Next attempt'], width: 180 })),
    messageId: Text({ title: ['消息 ID', 'Message ID'], maxLength: 40, search: true, list: false }),
    body: LongText({ title: ['请求内容', 'Request body'], list: false }),
    response: Nullable(LongText({ title: ['响应内容', 'Response'], list: false })),
  },
  { history: false, belongsTo: { endpointId: { entity: Endpoint } } },
);
export type DeliveryRow = RowOf<typeof Delivery>;

const secret = Type.String();
const SavedEndpoint = Type.Object({ ...Endpoint.row.properties, secret: Type.Optional(secret) }, { entity: Endpoint.name });

export const webhookEndpoint = {
  ...calls,
  list: { ...calls.list, reply: PageOf(Type.Object({ ...Endpoint.row.properties, ...Activity.properties }, { entity: Endpoint.name })) },
  /** Returns the secret of a new endpoint, once. */
  submit: post(calls.submit.path, {
    title: ['新增或修改接收端', 'Add or update an endpoint'],
    access: calls.submit.access,
    effect: 'saved',
    input: Endpoint.form,
    reply: SavedEndpoint,
  }),
  /** Lists the events of running plugins, with the schema of their data. */
  events: get(eventsPath, {
    title: ['可订阅的事件', 'Events'],
    access: mayRead,
    input: NoInput,
    reply: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) })),
  }),
  /** Generates a new secret and returns it once; for 24 hours requests are signed with both. */
  rotateSecret: post(`${path}/endpoint/rotate-secret`, {
    title: ['轮换密钥', 'Rotate the secret'],
    access: { code: 'webhook_secret' },
    input: ById,
    reply: Type.Object({ secret, formerSecretUntil: Type.String() }),
  }),
  /** Sends a test event at once and returns its delivery, also to an endpoint that is disabled; a failed one is not tried again. */
  test: post(`${path}/endpoint/test`, {
    title: ['发送测试事件', 'Send a test event'],
    access: { code: 'webhook_test' },
    input: ById,
    reply: Delivery.row,
  }),
  /** Queues all deliveries of an endpoint that were given up. */
  resendFailed: post(`${path}/endpoint/resend-failed`, {
    title: ['重新发送全部失败的投递', 'Send all failed deliveries again'],
    access: mayResend,
    input: ById,
    reply: Type.Object({ count }),
  }),
};

export const webhookDelivery = {
  entity: Delivery,
  menu: webhookDeliveryMenu.code,
  list: list(`${path}/delivery/list`, Delivery, mayReadDeliveries, ['投递记录', 'Deliveries']),
  detail: get(`${path}/delivery/detail`, { title: ['投递详情', 'Delivery'], access: mayReadDeliveries, input: ById, reply: Delivery.row }),
  /** Queues deliveries to be sent at once, with the same message ids. */
  resend: post(`${path}/delivery/resend`, { title: ['重新发送', 'Send again'], access: mayResend, input: BatchIds, reply: BatchReply }),
};

export const webhookProblems = {
  notHttps: problem(400, ['接收地址须以 https:// 开头', 'The URL must begin with https://.']),
  credentials: problem(400, ['接收地址不能包含用户名或密码', 'The URL cannot contain a username or password.']),
  internal: problem(400, [
    '不允许访问内部地址，可由部署人员用 EGRESS_ALLOW 放行',
    'Internal addresses are not allowed unless the deployment lists them in EGRESS_ALLOW.',
  ]),
  unknownEvent: problem(400, ['没有名为「{name}」的事件', 'There is no event named “{name}”.']),
  tooMany: problem(409, ['每个租户最多 20 个接收端', 'A tenant can have at most 20 endpoints.']),
  disabled: problem(409, ['接收端已停用，请先启用', 'The endpoint is disabled. Enable it first.']),
  sending: problem(409, ['正在发送', 'It is being sent.']),
  tooOften: problem(429, ['测试过于频繁，请稍后再试', 'Too many tests. Try again later.']),
};

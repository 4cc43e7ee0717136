import { Integer, MultiSelect, Nullable, Reference, Secret, Text, Url } from '#shared/fields';

const alerts = ['告警', 'Alerts'] as const;
const weekSeconds = 7 * 24 * 60 * 60;
export const unlimited = ['0 表示不限', '0 for no limit'] as const;
/** Paths of the pickers for alert recipients and message templates. */
export const alertPaths = { people: '/api/blade-job/job-info/people', templates: '/api/blade-job/job-info/alert-templates' } as const;

/** Declares a number from 0 to a maximum that lists do not show. */
export const count = (
  title: readonly [string, string],
  group: readonly [string, string],
  more: { maximum: number; default?: number; unit?: readonly [string, string]; help?: readonly [string, string] },
) => Integer({ title, group, minimum: 0, default: 0, list: false, ...more });

/** Alert settings of a job: recipients, channels and frequency. */
export const alertFields = {
  notifyUserIds: Nullable(
    MultiSelect(
      Reference({
        title: ['告警接收人', 'Alert recipients'],
        from: { call: { path: alertPaths.people }, search: 'name', lookup: 'ids' },
        list: false,
        group: alerts,
      }),
      {
        max: 50,
        comma: true,
      },
    ),
  ),
  alertThreshold: count(['告警阈值', 'Alert threshold'], alerts, {
    maximum: 10_000,
    help: ['统计窗口内失败达到此次数才告警；0 为每次失败', 'Alert after this many failures within the window; 0 for every failure'],
  }),
  statisticWindowLen: count(['统计窗口', 'Statistics window'], alerts, { maximum: weekSeconds, unit: ['秒', 's'], help: unlimited }),
  silenceWindowLen: count(['沉默窗口', 'Alert cooldown'], alerts, {
    maximum: weekSeconds,
    unit: ['秒', 's'],
    help: ['告警后在此时间内不再告警', 'No further alerts within this time'],
  }),
  alertSms: Nullable(
    Text({
      title: ['告警短信', 'Text message'],
      maxLength: 64,
      list: false,
      suggestFrom: { path: alertPaths.templates },
      help: [
        '短信配置的编号，发往接收人的手机；模板变量只能是 job、reason、time，留空则不发',
        'Text message code. It is sent to the recipients’ phones; the template can only use job, reason and time. Leave empty to send none',
      ],
      group: alerts,
    }),
  ),
  alertUrl: Nullable(
    Url({
      title: ['告警 Webhook', 'Webhook'],
      list: false,
      help: ['失败时 POST 一段带签名的 JSON；留空则不发', 'Receives signed JSON by POST on failure. Leave empty to send none'],
      group: alerts,
    }),
  ),
  alertSecret: Nullable(
    Secret({
      title: ['签名密钥', 'Signing key'],
      visible: { field: 'alertUrl', filled: true },
      requiredWhen: {
        all: [
          { field: 'id', filled: false },
          { field: 'alertUrl', filled: true },
        ],
      },
      help: ['X-Marquee-Signature：时间戳、点与内容的 HMAC-SHA256', 'X-Marquee-Signature: HMAC-SHA256 of timestamp, dot and body'],
      group: alerts,
    }),
  ),
  alertQuiet: Nullable(
    Text({
      title: ['免打扰时段', 'Quiet hours'],
      maxLength: 11,
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$',
      placeholder: ['22:00-08:00', '22:00-08:00'],
      list: false,
      help: [
        '此间短信与 Webhook 推迟到结束后发出，站内消息照常',
        'Text messages and webhooks are delayed until the end of this period; inbox messages are not',
      ],
      group: alerts,
    }),
  ),
};

import type { LocalizedText } from '#shared/text';

/** Kind of record in the titles of forms. */
export const endpointNoun: LocalizedText = ['接收端', 'endpoint'];

export const webhookMessages = {
  // State of an endpoint.
  enabled: ['已启用', 'Enabled'],
  off: ['已停用', 'Disabled'],
  gone: ['已自动停用：返回 410', 'Disabled: 410 Gone'],
  failing: ['已自动停用：连续多日失败', 'Disabled: failed for days'],
  rate: ['24 小时成功率', 'Success (24 h)'],
  counts: ['送达 {delivered}，失败 {failed}', '{delivered} delivered, {failed} failed'],
  lastDelivery: ['最近投递', 'Last delivery'],
  never: ['尚无投递', 'None yet'],
  // Actions.
  deliveries: ['投递记录', 'Deliveries'],
  test: ['发送测试事件', 'Send test event'],
  testArrived: ['已送达：HTTP {status}，{duration} 毫秒', 'Delivered: HTTP {status} in {duration} ms'],
  testFailed: ['未送达：{reason}', 'Not delivered: {reason}'],
  testFailedStatus: ['未送达：HTTP {status}', 'Not delivered: HTTP {status}'],
  resendFailed: ['重新发送全部失败', 'Send all failed again'],
  resendFailedQuestion: ['重新发送「{name}」失败的 {count} 次投递？', 'Send the {count} failed deliveries of “{name}” again?'],
  rotate: ['轮换密钥', 'Rotate secret'],
  rotateQuestion: [
    '为「{name}」生成新密钥？24 小时内请求会同时带有新旧两个密钥的签名。',
    'Generate a new secret for “{name}”? For 24 hours requests are signed with both the new and the former secret.',
  ],
  secretTitle: ['签名密钥', 'Signing secret'],
  secret: ['密钥', 'Secret'],
  formerUntil: ['旧密钥有效至', 'Former secret valid until'],
  resend: ['重新发送', 'Send again'],
  queuedAgain: ['已重新排队 {count} 次投递', '{count} deliveries queued again'],
  cancel: ['取消', 'Cancel'],
  // Lists without rows.
  noDeliveries: ['暂无投递', 'No deliveries yet'],
  noDeliveriesHint: [
    '已启用的接收端所订阅的事件发生后，投递会显示在这里，保留 30 天。',
    'Deliveries appear here once a subscribed event occurs, and are kept for 30 days.',
  ],
} as const satisfies Record<string, LocalizedText>;

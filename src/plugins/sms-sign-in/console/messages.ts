import type { LocalizedText } from '#shared/text';

/** Texts of the sign-in by text message. */
export const smsSignInMessages = {
  noMessages: ['暂无短信', 'No messages yet'],
  noMessagesHint: ['没有短信通道时，验证码短信保存在这里。', 'Without an SMS channel, messages with codes are kept here.'],
  phone: ['手机号', 'Phone number'],
  enterCode: ['请输入短信验证码', 'Enter the code from the text message'],
  code: ['短信验证码', 'Code from the text message'],
  sendCode: ['获取验证码', 'Send code'],
  sending: ['正在发送…', 'Sending…'],
  sendAgain: ['{seconds} 秒后可重新获取', 'Send again in {seconds} s'],
  codeSent: ['验证码已发送至 {phone}，5 分钟内有效', 'Code sent to {phone}. It is valid for 5 minutes.'],
  requestFirst: ['请先获取验证码', 'Request a code first'],
} as const satisfies Record<string, LocalizedText>;

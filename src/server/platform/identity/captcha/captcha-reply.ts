import type { CaptchaReply } from '#shared/auth';
import { done } from '../../http/envelope.ts';

/** Repeats key and image under `data`, because some clients read them there and others at the top of the body. */
export function captchaReply(captcha: CaptchaReply) {
  return { ...captcha, code: 200, success: true, data: captcha, msg: done[0] };
}

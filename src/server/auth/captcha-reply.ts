import type { CaptchaReply } from '#shared/auth';
import { done } from '../http/envelope.ts';

/** Some clients read key and image at the top of the body, others under `data`. */
export function captchaReply(captcha: CaptchaReply) {
  return { ...captcha, code: 200, success: true, data: captcha, msg: done[0] };
}

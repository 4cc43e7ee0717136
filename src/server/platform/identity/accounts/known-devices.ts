import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const lifeDays = 180;
const lifeSeconds = lifeDays * 86_400;
const tokenPattern = /^([0-9a-z]{1,9})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Device cookies: after a sign-in the browser stores a token for the account, signed by the server and bound to the account. It grants no access; it only separates
 * failures of this device from those of unknown sources. The server stores nothing.
 */
export class KnownDevices {
  constructor(
    private readonly key: Uint8Array,
    private readonly isSecure: boolean,
  ) {}

  /** Returns the device id of a request if this account knows the device. */
  deviceOf(subject: string, cookies: string): string | undefined {
    const name = this.nameOf(subject);
    const value = cookies
      .split(';')
      .map((cookie) => cookie.trim().split('='))
      .find(([called]) => called === name)?.[1];
    const [, ends = '', device = '', mac = ''] = tokenPattern.exec(value ?? '') ?? [];
    if (device === '' || Number.parseInt(ends, 36) < Date.now() / 1000) return undefined;
    return timingSafeEqual(Buffer.from(mac), Buffer.from(this.mac(subject, ends, device))) ? device : undefined;
  }

  /** Builds the cookie that identifies a browser after a sign-in; a known device keeps its id. */
  cookieFor(subject: string, cookies: string): string {
    const device = this.deviceOf(subject, cookies) ?? randomBytes(16).toString('base64url');
    const ends = Math.floor(Date.now() / 1000 + lifeSeconds).toString(36);
    const value = `${ends}.${device}.${this.mac(subject, ends, device)}`;
    return `${this.nameOf(subject)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifeSeconds}${this.isSecure ? '; Secure' : ''}`;
  }

  /** Builds a cookie name per account that reveals nothing about the account. */
  private nameOf(subject: string): string {
    const name = createHmac('sha256', this.key).update(`name|${subject}`).digest('hex').slice(0, 12);
    return `${this.isSecure ? '__Host-' : ''}marquee-device-${name}`;
  }

  private mac(subject: string, ends: string, device: string): string {
    return createHmac('sha256', this.key).update(`device|${subject}|${ends}|${device}`).digest('base64url');
  }
}

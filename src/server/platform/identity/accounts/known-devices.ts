import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const lifetimeDays = 180;
const lifetimeSeconds = lifetimeDays * 86_400;
const tokenPattern = /^([0-9a-z]{1,9})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Device cookies: after a sign-in the browser stores a token for the account, signed by the server and bound to the account. It grants no access; it only lets the
 * server count failed sign-ins of this device apart from those of unknown devices. The server stores nothing.
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
      .find(([cookieName]) => cookieName === name)?.[1];
    const [, expiry = '', device = '', mac = ''] = tokenPattern.exec(value ?? '') ?? [];
    if (device === '' || Number.parseInt(expiry, 36) < Date.now() / 1000) return undefined;
    return timingSafeEqual(Buffer.from(mac), Buffer.from(this.mac(subject, expiry, device))) ? device : undefined;
  }

  /** Builds the cookie that identifies a browser after a sign-in; a known device keeps its id. */
  cookieFor(subject: string, cookies: string): string {
    const device = this.deviceOf(subject, cookies) ?? randomBytes(16).toString('base64url');
    const expiry = Math.floor(Date.now() / 1000 + lifetimeSeconds).toString(36);
    const value = `${expiry}.${device}.${this.mac(subject, expiry, device)}`;
    return `${this.nameOf(subject)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}${this.isSecure ? '; Secure' : ''}`;
  }

  /** Builds a cookie name per account that reveals nothing about the account. */
  private nameOf(subject: string): string {
    const name = createHmac('sha256', this.key).update(`name|${subject}`).digest('hex').slice(0, 12);
    return `${this.isSecure ? '__Host-' : ''}marquee-device-${name}`;
  }

  private mac(subject: string, expiry: string, device: string): string {
    return createHmac('sha256', this.key).update(`device|${subject}|${expiry}|${device}`).digest('base64url');
  }
}

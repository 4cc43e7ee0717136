import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../../base/configuration/secret-key.ts';

const lifetimeDays = 180;
const lifetimeSeconds = lifetimeDays * 86_400;
const tokenPattern = /^([0-9a-z]{1,9})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Device cookies: after a sign-in the browser stores a token for the account, signed by the server and bound to the account. It grants no access; it only lets the
 * server count failed sign-ins of this device apart from those of unknown devices. The server stores nothing.
 */
export class KnownDevices {
  constructor(
    private readonly keys: Keys,
    private readonly isSecure: boolean,
  ) {}

  /** Returns the device id of a request if this account knows the device. */
  deviceOf(subject: string, cookies: string): string | undefined {
    const all = cookies.split(';').map((cookie) => cookie.trim().split('='));
    const cookieOf = (name: string) => all.find(([cookieName]) => cookieName === name)?.[1] ?? '';
    for (const key of this.keys) {
      const [, expiry = '', device = '', mac = ''] = tokenPattern.exec(cookieOf(this.nameOf(subject, key))) ?? [];
      if (device === '' || Number.parseInt(expiry, 36) < Date.now() / 1000) continue;
      if (timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, subject, expiry, device)))) return device;
    }
    return undefined;
  }

  /** Builds the cookie that identifies a browser after a sign-in; a known device keeps its id. */
  cookieFor(subject: string, cookies: string): string {
    const device = this.deviceOf(subject, cookies) ?? randomBytes(16).toString('base64url');
    const expiry = Math.floor(Date.now() / 1000 + lifetimeSeconds).toString(36);
    const value = `${expiry}.${device}.${macOf(this.keys[0], subject, expiry, device)}`;
    return `${this.nameOf(subject, this.keys[0])}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}${this.isSecure ? '; Secure' : ''}`;
  }

  /** Builds a cookie name per account that reveals nothing about the account. */
  private nameOf(subject: string, key: Uint8Array): string {
    const name = createHmac('sha256', key).update(`name|${subject}`).digest('hex').slice(0, 12);
    return `${this.isSecure ? '__Host-' : ''}marquee-device-${name}`;
  }
}

const macOf = (key: Uint8Array, subject: string, expiry: string, device: string): string =>
  createHmac('sha256', key).update(`device|${subject}|${expiry}|${device}`).digest('base64url');

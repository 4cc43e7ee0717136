import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import type { SectionItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import type { Configuration } from '../../base/configuration/configuration.ts';
import type { HealthSource } from './health-sources.ts';

const dayMs = 86_400_000;
const attentionDays = 30;
const urgentDays = 7;
const connectMs = 4000;
const checkedEveryMs = 600_000;

/** A certificate with the page on which it is replaced. */
interface NamedCertificate {
  readonly id: string;
  readonly title: LocalizedText;
  readonly page?: string;
}

/** Describes the expiry of a certificate in PEM; undefined if the text is no certificate, such as a public key. */
export function certificateItem({ id, title, page }: NamedCertificate, pem: string): SectionItem | undefined {
  try {
    return expiryItem({ id, title, ...(page === undefined ? {} : { page }) }, new Date(new X509Certificate(pem).validTo));
  } catch {
    return undefined;
  }
}

function expiryItem({ id, title, page }: NamedCertificate, end: Date): SectionItem {
  const days = Math.floor((end.getTime() - Date.now()) / dayMs);
  const day = end.toISOString().slice(0, 10);
  const item: SectionItem = { id, title, text: [`${day} 到期，剩 ${Math.max(0, days)} 天`, `Expires ${day}, ${Math.max(0, days)} days left`] };
  if (days > attentionDays) return item;
  const [zh, en] = title;
  const text: LocalizedText =
    days < 0
      ? [`${zh}的证书已于 ${day} 过期：请立即更换`, `The certificate of ${en} expired on ${day}. Replace it now.`]
      : [`${zh}的证书将于 ${day} 到期：请提前更换`, `The certificate of ${en} expires on ${day}. Replace it before then.`];
  return { ...item, problem: { isUrgent: days <= urgentDays, text, ...(page === undefined ? {} : { page }) } };
}

/**
 * Certificates of the addresses in the environment: `PUBLIC_URL` and `SSO_ISSUER`. They are read by a connection every ten minutes. The operator has set these addresses,
 * so that they may be internal, as the rules for outgoing connections are about addresses that users enter.
 */
export function addressCertificates({ publicUrl, sso }: Pick<Configuration, 'publicUrl' | 'sso'>): HealthSource {
  const addresses = [
    ...(publicUrl ? [{ id: 'public', title: ['PUBLIC_URL', 'PUBLIC_URL'] as const, url: publicUrl }] : []),
    ...(sso ? [{ id: 'sso', title: ['SSO_ISSUER', 'SSO_ISSUER'] as const, url: sso.issuer }] : []),
  ].filter(({ url }) => url.protocol === 'https:');
  let known: { readonly items: readonly SectionItem[]; readonly staleAt: number } | undefined;
  return {
    section: 'certificates',
    async read() {
      if (known && Date.now() < known.staleAt) return known.items;
      const items = await Promise.all(addresses.map(({ url, ...name }) => readCertificate(name, url)));
      known = { items, staleAt: Date.now() + checkedEveryMs };
      return items;
    },
  };
}

/** Reads the certificate that a host presents, also an expired or self-signed one. A public address may be out of reach from inside, which is no problem of its own. */
async function readCertificate({ id, title }: NamedCertificate, { hostname, port }: URL): Promise<SectionItem> {
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const end = await new Promise<Date>((resolve, reject) => {
      const socket = connect({
        host,
        port: Number(port || 443),
        rejectUnauthorized: false,
        timeout: connectMs,
        ...(/[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {}),
      });
      socket.once('secureConnect', () => {
        const { valid_to } = socket.getPeerCertificate();
        socket.destroy();
        if (valid_to) resolve(new Date(valid_to));
        else reject(new Error('it presents no certificate'));
      });
      socket.once('timeout', () => socket.destroy(new Error(`no answer within ${connectMs / 1000} s`)));
      socket.once('error', reject);
    });
    return expiryItem({ id, title: [`${title[0]} ${host}`, `${title[1]} ${host}`] }, end);
  } catch (error) {
    const { message } = error as Error;
    return { id, title, text: [`本服务器无法连接：${message}`, `Not reachable from this server: ${message}`] };
  }
}

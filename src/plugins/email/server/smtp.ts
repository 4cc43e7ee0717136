import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import { type Egress, EgressError, type MailAttachment } from '#server';
import { type EmailFailure, securityModes } from '../contract.ts';

/** Settings of a connection, with the decrypted password; never return or log them. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: number;
  readonly username?: string | null | undefined;
  readonly password?: string | undefined;
  readonly caCertificate?: string | null | undefined;
  readonly senderName: string;
  readonly senderAddress: string;
  readonly replyTo?: string | null | undefined;
}

/** Stored content of an e-mail. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailAttachment[];
}

/** E-mail with its recipient; its id makes the Message-ID, which stays the same when it is sent again. */
export interface OutgoingMail extends MailContent {
  readonly id: string;
  readonly recipient: string;
  readonly address: string;
}

/** Result of an attempt with the response of the server. A permanent failure is not tried again. */
export type Attempt = { readonly answer: string } | { readonly failure: EmailFailure; readonly answer: string; readonly isPermanent: boolean };

/** Milliseconds for connecting and for each answer, and for a whole e-mail. */
export interface SmtpTimeouts {
  readonly answerMs: number;
  readonly totalMs: number;
}

const maxAnswerLength = 500;

/** Hands one e-mail to the server and reports what it answered. It connects under the egress rules, and never without the encryption that the settings demand. */
export async function deliver(egress: Egress, settings: SmtpSettings, mail: OutgoingMail, { answerMs, totalMs }: SmtpTimeouts): Promise<Attempt> {
  let socket: Socket | undefined;
  const deadline = setTimeout(() => socket?.destroy(timeoutError()), totalMs);
  try {
    socket = await connect(egress, settings, answerMs);
    const transport = createTransport({
      ...connectionOptions(settings),
      connection: socket,
      greetingTimeout: answerMs,
      socketTimeout: answerMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0]);
    const { response } = (await transport.sendMail(messageOf(settings, mail))) as { response?: string };
    return { answer: answerText(response) };
  } catch (error) {
    return failureOf(error);
  } finally {
    clearTimeout(deadline);
    socket?.destroy();
  }
}

function connect(egress: Egress, { host, port }: SmtpSettings, timeoutMs: number): Promise<Socket> {
  const socket = egress.socket();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(timeoutError()), timeoutMs);
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.connect(port, host);
  });
}

function connectionOptions({ host, port, security, username, password, caCertificate }: SmtpSettings) {
  return {
    host,
    port,
    secure: security === securityModes.tls,
    requireTLS: security === securityModes.startTls,
    ignoreTLS: security === securityModes.none,
    ...(username ? { auth: { user: username, pass: password ?? '' } } : {}),
    tls: { minVersion: 'TLSv1.2' as const, ...(caCertificate ? { ca: [...rootCertificates, caCertificate] } : {}) },
  };
}

function messageOf(settings: SmtpSettings, { id, recipient, address, subject, text, html, attachments = [] }: OutgoingMail) {
  const { senderName, senderAddress, replyTo } = settings;
  return {
    from: { name: oneLine(senderName), address: senderAddress },
    to: { name: oneLine(recipient), address },
    ...(replyTo ? { replyTo } : {}),
    subject: oneLine(subject),
    text,
    html,
    messageId: `<${id}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: attachments.map(({ name, contentType, text: content }) => ({ filename: oneLine(name), contentType, content })),
  };
}

/** Replaces line breaks and control characters, with which a value could add headers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
export const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();

const timeoutError = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
const answerText = (text = ''): string => oneLine(text).slice(0, maxAnswerLength);

/** Properties of errors of the transport and of sockets. */
interface TransportFailure {
  readonly message: string;
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

const connectionFailures: Readonly<Record<string, EmailFailure>> = {
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  ETLS: 'tls',
  ETIMEDOUT: 'timeout',
  EDNS: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNREFUSED: 'refused',
};
const authenticationRequired = 530;

/** Reads an error: only a refusal of this e-mail is permanent, everything about the connection or the account can be put right. */
function failureOf(error: unknown): Attempt {
  const { message, code = '', command = '', response, responseCode = 0 } = error as TransportFailure;
  const answer = answerText(response || message);
  if (error instanceof EgressError) return { failure: 'blocked', answer, isPermanent: false };
  if (responseCode === authenticationRequired) return { failure: 'auth', answer, isPermanent: false };
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    if (responseCode >= 400 && responseCode < 500) return { failure: 'temporary', answer, isPermanent: false };
    const failure = code === 'EMESSAGE' ? 'rejected' : /mail from/i.test(command) ? 'sender' : 'recipient';
    return { failure, answer, isPermanent: true };
  }
  if (/certificate|altnames|ssl|tls/i.test(message) && code !== 'EAUTH') return { failure: 'tls', answer, isPermanent: false };
  if (responseCode >= 400 && code !== 'EAUTH') return { failure: 'temporary', answer, isPermanent: false };
  return { failure: connectionFailures[code] ?? 'connection', answer, isPermanent: false };
}

import { Socket } from 'node:net';

const { destroy } = Socket.prototype;
/** Alipay's own library. The HTTP client below it replaces `destroy` of all sockets of the process, which then fails for an error that destroys two of them. */
export const { AlipaySdk } = await import('alipay-sdk');
Socket.prototype.destroy = destroy;

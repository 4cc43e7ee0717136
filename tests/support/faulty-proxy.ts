import { connect, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy on loopback that can fall silent: it accepts and reads, but forwards nothing. Open connections then never receive data. */
export class FaultyProxy {
  /** Number of accepted connections. */
  accepted = 0;
  private isSilent = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private target: number) {
    this.server = createServer((caller) => this.accept(caller));
  }

  static async before(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  fallSilent(): void {
    this.isSilent = true;
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.on('data', () => undefined);
    }
  }

  /** Forwards new connections again, optionally to another target. */
  return(target = this.target): void {
    this.isSilent = false;
    this.target = target;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  private accept(caller: Socket): void {
    this.accepted += 1;
    this.keep(caller);
    if (this.isSilent) return void caller.on('data', () => undefined);
    const target = connect(this.target, '127.0.0.1');
    this.keep(target);
    caller.pipe(target);
    target.pipe(caller);
    caller.on('close', () => target.destroy());
    target.on('close', () => caller.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}

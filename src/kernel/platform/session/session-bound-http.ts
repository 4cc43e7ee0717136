import type { UserInfo } from '#shared/auth';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { type Answer, Http, type SendOptions } from '../http/http.ts';
import { TransportError } from '../http/transport-error.ts';
import { ownerOf } from './stored-session.ts';

/** Sends requests for the account that was signed in when it was created. Once this browser has another account, they reject as `cancelled`, because the token would be that account's. */
export class SessionBoundHttp extends Http {
  private readonly owner: string | undefined;

  constructor(
    private readonly http: Http,
    private readonly session: { readonly user: UserInfo | undefined },
  ) {
    super();
    this.owner = ownerIn(session);
  }

  async send<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Answer<ReplyOf<C>>> {
    const currentOwner = ownerIn(this.session);
    if (this.owner !== undefined && currentOwner !== undefined && currentOwner !== this.owner) throw new TransportError('cancelled');
    return this.http.send(call, input, options);
  }
}

const ownerIn = ({ user }: { readonly user: UserInfo | undefined }) => user && ownerOf(user);

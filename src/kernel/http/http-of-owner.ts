import type { UserInfo } from '#shared/auth';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { ownerOf } from '../auth/stored-session.ts';
import { TransportError } from '../errors/transport-error.ts';
import { type Answer, Http, type SendOptions } from './http.ts';

/** What one console sends: nothing once another account is signed in in this browser, for its token would be the other's. */
export class HttpOfOwner extends Http {
  private readonly owner: string | undefined;

  constructor(
    private readonly http: Http,
    private readonly session: { readonly user: UserInfo | undefined },
  ) {
    super();
    this.owner = ownerIn(session);
  }

  async send<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Answer<ReplyOf<C>>> {
    const now = ownerIn(this.session);
    if (this.owner !== undefined && now !== undefined && now !== this.owner) throw new TransportError('cancelled');
    return this.http.send(call, input, options);
  }
}

const ownerIn = ({ user }: { readonly user: UserInfo | undefined }) => user && ownerOf(user);

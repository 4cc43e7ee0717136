import { Subscription } from 'rxjs';
import { type Http, Store } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { role } from '../contract.ts';

type Member = ReplyOf<(typeof role)['members']>['records'][number];

interface Members {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly members: readonly Member[];
  readonly total: number;
  readonly candidates: readonly Member[];
}

const size = 50;

/** Paged members of a role. */
export class MemberStore extends Store<Members> {
  readonly lifetime = new Subscription();
  private hasBegun = false;

  constructor(
    private readonly http: Http,
    private readonly roleId: string,
  ) {
    super({ status: 'loading', members: [], total: 0, candidates: [] });
  }

  /** Loads once, however often the panel is shown. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    void this.more();
  }

  async more(): Promise<void> {
    const current = Math.floor(this.state.members.length / size) + 1;
    const answer = await this.http.send(role.members, { roleId: this.roleId, current, size }).catch(() => undefined);
    if (this.lifetime.closed) return;
    const { members } = this.state;
    if (!answer?.success) return this.update((state) => ({ ...state, status: 'failed', total: 0 }));
    const loadedIds = new Set(members.map(({ id }) => id));
    const fresh = answer.data.records.filter(({ id }) => !loadedIds.has(id));
    this.update((state) => ({ ...state, status: 'ready', members: [...members, ...fresh], total: answer.data.total }));
  }

  /** Finds users by name who do not have the role yet. */
  async find(text: string): Promise<void> {
    const answer = await this.http.send(role.candidates, { roleId: this.roleId, text }).catch(() => undefined);
    if (answer?.success && !this.lifetime.closed) this.update((state) => ({ ...state, candidates: answer.data }));
  }

  /** Adds users to the role; resolves true on success. */
  async addMembers(ids: readonly string[]): Promise<boolean> {
    const answer = await this.http.send(role.enlist, { roleId: this.roleId, ids: [...ids] }).catch(() => undefined);
    if (!answer?.success || this.lifetime.closed) return false;
    this.update((state) => ({ ...state, members: [], candidates: [] }));
    await this.more();
    return true;
  }

  async removeMember(id: string): Promise<void> {
    const answer = await this.http.send(role.dismiss, { roleId: this.roleId, ids: [id] });
    if (!answer.success || this.lifetime.closed) return;
    this.update((state) => ({ ...state, members: this.state.members.filter((member) => member.id !== id), total: this.state.total - 1 }));
  }
}

import type { Http } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { role } from '../contract.ts';
import { PanelStore } from './panel-store.ts';

type Member = ReplyOf<(typeof role)['members']>['records'][number];

interface Members {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly members: readonly Member[];
  readonly total: number;
  readonly candidates: readonly Member[];
}

const size = 50;

/** Paged members of a role. */
export class MemberStore extends PanelStore<Members> {
  constructor(
    private readonly http: Http,
    private readonly roleId: string,
  ) {
    super({ status: 'loading', members: [], total: 0, candidates: [] });
  }

  /** Loads the next page. */
  async load(): Promise<void> {
    const current = Math.floor(this.state.members.length / size) + 1;
    const answer = await this.http.send(role.members, { roleId: this.roleId, current, size }).catch(() => undefined);
    if (!answer?.success) return this.patch({ status: 'failed', total: 0 });
    const { members } = this.state;
    const loadedIds = new Set(members.map(({ id }) => id));
    const added = answer.data.records.filter(({ id }) => !loadedIds.has(id));
    this.patch({ status: 'ready', members: [...members, ...added], total: answer.data.total });
  }

  /** Finds users by name who do not have the role yet. */
  async find(text: string): Promise<void> {
    const answer = await this.http.send(role.candidates, { roleId: this.roleId, text }).catch(() => undefined);
    if (answer?.success) this.patch({ candidates: answer.data });
  }

  /** Adds users to the role; resolves true on success. */
  async addMembers(ids: readonly string[]): Promise<boolean> {
    const answer = await this.http.send(role.enlist, { roleId: this.roleId, ids: [...ids] }).catch(() => undefined);
    if (!answer?.success || this.lifetime.closed) return false;
    this.patch({ members: [], candidates: [] });
    await this.load();
    return true;
  }

  async removeMember(id: string): Promise<void> {
    const answer = await this.http.send(role.dismiss, { roleId: this.roleId, ids: [id] });
    if (answer.success) this.patch({ members: this.state.members.filter((member) => member.id !== id), total: this.state.total - 1 });
  }
}

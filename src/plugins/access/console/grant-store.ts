import { Subscription } from 'rxjs';
import { type Answer, Store } from '#kernel';
import { allOf, type GrantBranch, type SelectedKeys, toggled } from './grant-selection.ts';

/** Data of a grant panel: the entries, the granted ids, and the call that saves them. */
export interface GrantSource {
  tree(signal: AbortSignal): Promise<Answer<readonly GrantBranch[]>>;
  selected(signal: AbortSignal): Promise<Answer<readonly string[]>>;
  save(ids: string[]): Promise<Answer<unknown>>;
}

interface Grants {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly forest: readonly GrantBranch[];
  readonly before: SelectedKeys;
  readonly chosen: SelectedKeys;
  readonly isSaving: boolean;
}

const nothing: SelectedKeys = new Set();

/** Selection of an open grant panel until it is saved. */
export class GrantStore extends Store<Grants> {
  readonly lifetime = new Subscription();
  private hasBegun = false;

  constructor(private readonly source: GrantSource) {
    super({ status: 'loading', forest: [], before: nothing, chosen: nothing, isSaving: false });
  }

  /** Loads once, however often the panel is shown. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    void this.load();
  }

  async load(): Promise<void> {
    const controller = new AbortController();
    this.lifetime.add(() => controller.abort());
    this.become({ status: 'loading' });
    try {
      const [tree, chosen] = await Promise.all([this.source.tree(controller.signal), this.source.selected(controller.signal)]);
      if (!tree.success || !chosen.success) return this.become({ status: 'failed' });
      const grantableIds = new Set(allOf(tree.data));
      const before = new Set(chosen.data.filter((id) => grantableIds.has(id)));
      this.become({ status: 'ready', forest: tree.data, before, chosen: before });
    } catch {
      this.become({ status: 'failed' });
    }
  }

  toggle(id: string): void {
    this.become({ chosen: toggled(this.state.forest, id, this.state.chosen) });
  }

  all(isSelected: boolean): void {
    this.become({ chosen: isSelected ? new Set(allOf(this.state.forest)) : nothing });
  }

  /** Resolves true once the selection is saved. */
  async save(): Promise<boolean> {
    if (this.state.isSaving) return false;
    this.become({ isSaving: true });
    const answer = await this.source.save([...this.state.chosen]).catch(() => undefined);
    this.become({ isSaving: false, ...(answer?.success ? { before: this.state.chosen } : {}) });
    return answer?.success === true;
  }

  private become(part: Partial<Grants>): void {
    if (!this.lifetime.closed) this.update(() => ({ ...this.state, ...part }));
  }
}

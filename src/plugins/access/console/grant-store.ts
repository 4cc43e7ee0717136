import type { Answer } from '#kernel';
import { type GrantBranch, type SelectedKeys, selectableIds, toggled } from './grant-selection.ts';
import { PanelStore } from './panel-store.ts';

/** Data of a grant panel: the entries, the granted ids, and the call that saves them. */
export interface GrantSource {
  tree(signal: AbortSignal): Promise<Answer<readonly GrantBranch[]>>;
  granted(signal: AbortSignal): Promise<Answer<readonly string[]>>;
  /** Saves the selection; `base` is the one with which the panel began. */
  save(ids: string[], base: string[]): Promise<Answer<unknown>>;
}

interface Grants {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly forest: readonly GrantBranch[];
  readonly before: SelectedKeys;
  readonly selected: SelectedKeys;
  readonly isSaving: boolean;
}

const none: SelectedKeys = new Set();

/** Selection of an open grant panel until it is saved. */
export class GrantStore extends PanelStore<Grants> {
  constructor(private readonly source: GrantSource) {
    super({ status: 'loading', forest: [], before: none, selected: none, isSaving: false });
  }

  async load(): Promise<void> {
    const controller = new AbortController();
    this.lifetime.add(() => controller.abort());
    this.patch({ status: 'loading' });
    try {
      const [tree, granted] = await Promise.all([this.source.tree(controller.signal), this.source.granted(controller.signal)]);
      if (!tree.success || !granted.success) return this.patch({ status: 'failed' });
      const grantableIds = new Set(selectableIds(tree.data));
      const before = new Set(granted.data.filter((id) => grantableIds.has(id)));
      this.patch({ status: 'ready', forest: tree.data, before, selected: before });
    } catch {
      this.patch({ status: 'failed' });
    }
  }

  /** Toggles an entry; `shown` is the part of the forest that a search shows. */
  toggle(id: string, shown: readonly GrantBranch[]): void {
    this.patch({ selected: toggled(this.state.forest, id, this.state.selected, shown) });
  }

  selectAll(isSelected: boolean): void {
    this.patch({ selected: isSelected ? new Set(selectableIds(this.state.forest)) : none });
  }

  /** Resolves true once the selection is saved. */
  async save(): Promise<boolean> {
    if (this.state.isSaving) return false;
    this.patch({ isSaving: true });
    const answer = await this.source.save([...this.state.selected], [...this.state.before]).catch(() => undefined);
    this.patch({ isSaving: false, ...(answer?.success ? { before: this.state.selected } : {}) });
    return answer?.success === true;
  }
}

import type { Page, RecordSearch } from '../plugin.ts';
import type { Services } from '../services.tsx';

/** A page of a running plugin, and the services its components are lent. */
export interface ClaimedPage extends Page {
  readonly pluginId: string;
  readonly services: Services;
}

/** Records of a running plugin that can be found, and the services they are found with. */
export interface ClaimedSearch extends RecordSearch {
  readonly pluginId: string;
  readonly services: Services;
}

/** The pages of running plugins. */
export class ClaimedPages {
  private index: { readonly byCode: ReadonlyMap<string, ClaimedPage>; readonly byPath: ReadonlyMap<string, ClaimedPage> } | undefined;

  /** Of two pages for one menu code or address the first stays. */
  constructor(readonly all: readonly ClaimedPage[] = []) {}

  get byCode(): ReadonlyMap<string, ClaimedPage> {
    return this.indexed().byCode;
  }

  /** By the menu's address, without `/index`. */
  get byPath(): ReadonlyMap<string, ClaimedPage> {
    return this.indexed().byPath;
  }

  /** The page that answers to a menu entry: by its code, else by its address. */
  find(entry: { readonly code?: string; readonly path?: string }): ClaimedPage | undefined {
    return (
      (entry.code === undefined ? undefined : this.byCode.get(entry.code)) ?? (entry.path === undefined ? undefined : this.byPath.get(plainPath(entry.path)))
    );
  }

  /** Made when first asked: while plugins start one after another, nobody asks about most of these lists. */
  private indexed() {
    if (!this.index) {
      const latestFirst = [...this.all].reverse();
      this.index = {
        byCode: new Map(latestFirst.map((page) => [page.menu.code, page])),
        byPath: new Map(latestFirst.map((page) => [plainPath(page.menu.path), page])),
      };
    }
    return this.index;
  }
}

/** `/system/param/index` and `/system/param/` are `/system/param`. */
const plainPath = (path: string): string => path.replace(/\/index\/?$/, '').replace(/\/$/, '');

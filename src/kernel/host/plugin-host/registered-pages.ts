import type { Services } from '../../base/container/services.ts';
import type { PluginPage } from '../plugin/plugin.ts';

/** A page of a running plugin, and the services provided to its components. */
export interface RegisteredPage extends PluginPage {
  readonly pluginId: string;
  readonly services: Services;
}

/** Index of the pages of running plugins. */
export class RegisteredPages {
  private index: { readonly byCode: ReadonlyMap<string, RegisteredPage>; readonly byPath: ReadonlyMap<string, RegisteredPage> } | undefined;

  /** The first of two pages for one menu code or address wins. */
  constructor(readonly all: readonly RegisteredPage[] = []) {}

  get byCode(): ReadonlyMap<string, RegisteredPage> {
    return this.indexed().byCode;
  }

  /** Keyed by the menu's address without `/index`. */
  get byPath(): ReadonlyMap<string, RegisteredPage> {
    return this.indexed().byPath;
  }

  /** Returns the page of a menu entry: by its code, else by its address. */
  find(entry: { readonly code?: string; readonly path?: string }): RegisteredPage | undefined {
    return (
      (entry.code === undefined ? undefined : this.byCode.get(entry.code)) ?? (entry.path === undefined ? undefined : this.byPath.get(plainPath(entry.path)))
    );
  }

  /** Returns the page outside the menu at a path, with or without `/index`. */
  routeAt(path: string): RegisteredPage | undefined {
    const page = this.byPath.get(plainPath(path));
    return page?.route && page;
  }

  /** Builds the index on first use, because most intermediate lists during the start are never read. */
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

/** Normalizes `/system/param/index` and `/system/param/` to `/system/param`. */
const plainPath = (path: string): string => path.replace(/\/index\/?$/, '').replace(/\/$/, '');

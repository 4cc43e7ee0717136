import { useCallback, useEffect } from 'react';
import { groupBy, mergeMap, Subject, Subscription, switchMap, tap } from 'rxjs';
import { isEmpty } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Store } from '../../base/store/store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { usePageStore } from '../../ui/pane/use-page-store.ts';
import type { CrudPageProps, ParentTree, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import { formatValue, type ScreenField, translatedText } from './entity-fields.ts';

/** A row in the tree from which parents are picked. */
export interface ParentNode {
  readonly key: string;
  readonly title: string;
  readonly children: readonly ParentNode[];
}

interface LoadedTree {
  readonly nodes: readonly ParentNode[];
  /** Titles by key. */
  readonly titles: Readonly<Record<string, string>>;
}

/** Trees of the parent fields of a screen, by field: each is loaded on first use, and again when rows or the language have changed. */
export class ParentTrees extends Store<Readonly<Record<string, LoadedTree>>> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly requested = new Map<string, { readonly tree: ParentTree; readonly key: string }>();
  private readonly requests$ = new Subject<string>();

  constructor(
    private readonly http: Http,
    private readonly locale: Pick<Locale, 'language'>,
  ) {
    super({});
    const replies$ = this.requests$.pipe(
      groupBy((name) => name),
      mergeMap((requests$) => requests$.pipe(switchMap((name) => this.read(name)))),
    );
    this.lifetime.add(replies$.subscribe());
  }

  /** Loads a tree unless it is loaded already. */
  load(name: string, tree: ParentTree): void {
    const key = `${this.locale.language} ${tree.call.path} ${JSON.stringify(tree.input ?? {})}`;
    if (this.requested.get(name)?.key === key) return;
    this.requested.set(name, { tree, key });
    this.requests$.next(name);
  }

  /** Loads all used trees again. */
  reload(): void {
    for (const name of this.requested.keys()) this.requests$.next(name);
  }

  private read(name: string) {
    const { call, input = {} } = (this.requested.get(name) as { readonly tree: ParentTree }).tree;
    return observeRequest(this.http, call, input).pipe(
      tap((answer) => {
        if (!answer.success || !Array.isArray(answer.data)) return;
        const nodes = nodesOf(answer.data);
        this.set({ [name]: { nodes, titles: Object.fromEntries(titlesOf(nodes)) } });
      }),
    );
  }
}

interface ParentTreeReply {
  readonly title?: string;
  readonly value?: string;
  readonly key?: string;
  readonly id?: string;
  readonly children?: readonly ParentTreeReply[] | null;
}

const nodesOf = (replies: readonly ParentTreeReply[]): ParentNode[] =>
  replies.map(({ title, value, key, id, children }) => {
    const nodeKey = String(value ?? key ?? id ?? '');
    return { key: nodeKey, title: title ?? nodeKey, children: nodesOf(children ?? []) };
  });

const titlesOf = (nodes: readonly ParentNode[]): [string, string][] => nodes.flatMap(({ key, title, children }) => [[key, title], ...titlesOf(children)]);

/** Formats one field of a row as text. */
export type FormatField = (field: ScreenField, row: Row) => string;

const noParents = {};

interface Parents {
  readonly trees: ParentTrees;
  /** Formats a parent as its title and other fields by their widget; an id is never shown. */
  readonly format: FormatField;
}

/** Loads the parents of a screen's rows: those of visible columns at once, the others when a form or view is opened. */
export function useParents(store: CrudStore, columns: readonly ScreenField[], parents: CrudPageProps['parents'] = noParents): Parents {
  const http = useService(Http);
  const t = useTranslation();
  const locale = useService(Locale);
  const trees = usePageStore(() => new ParentTrees(http, locale));
  const treeState = useStore(trees, (state) => state);

  useEffect(() => {
    const subscription = store.removed$.subscribe(({ success }) => success && trees.reload());
    return () => subscription.unsubscribe();
  }, [store, trees]);

  useEffect(() => {
    for (const { name } of columns) if (parents[name]) trees.load(name, parents[name]);
  });

  // The callback is memoized, because the cells of a table render again when it changes.
  const format = useCallback<FormatField>(
    (field, row) => {
      const value = row[field.name];
      const translated = translatedText(field, row, t);
      if (translated !== undefined) return translated;
      if (field.traits.widget !== 'parent') return formatValue(field, value, t);
      const storedName = row[field.name.replace(/Id$/, 'Name')];
      if (typeof storedName === 'string' && !isEmpty(storedName)) return storedName;
      const isRoot = value === '0' && parents[field.name]?.root !== false;
      return treeState[field.name]?.titles[String(value)] ?? (isRoot ? t('crud.root') : '');
    },
    [t, treeState, parents],
  );
  return { trees, format };
}

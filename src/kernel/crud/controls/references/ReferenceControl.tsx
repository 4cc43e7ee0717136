import { Cascader, Select, TreeSelect } from '@arco-design/web-react';
import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import type { ReferenceSource } from '#shared/fields';
import { useService } from '../../../base/react/services.tsx';
import { useStore } from '../../../base/react/use-store.ts';
import { useUnmount } from '../../../base/react/use-unmount.ts';
import { Http } from '../../../platform/http/http.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { matchesSearch, usePinyin } from '../../../ui/fields/search-match.ts';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import { pathTo, type ReferenceChoice, ReferenceStore, titlesOf } from '../../references/reference-store.ts';
import { useReferenceLabels } from '../../references/reference-titles.ts';
import { type ControlProps, isClearable, listOf, matchesTyped, useAccessibleName } from '../control.ts';

const CheckTree = lazyComponent(() => import('./CheckTree.tsx'));

interface PickerProps extends ControlProps {
  readonly source: ReferenceSource;
  readonly store: ReferenceStore;
  readonly choices: readonly ReferenceChoice[];
  readonly selected: readonly string[];
  readonly empty: ReactNode;
  /** Returns the title of a value that is not among the choices. */
  readonly titleOf: (value: string) => string;
}

/** Selects one or several rows of another entity in a searchable list, a tree or cascading columns. */
export default function ReferenceControl(props: ControlProps) {
  const t = useTranslation();
  const http = useService(Http);
  const source = props.field.traits.reference as ReferenceSource;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have names in the current language; `t` changes with it.
  const store = useMemo(() => new ReferenceStore(http, source, props.callInput ? JSON.parse(props.callInput) : {}), [http, source, props.callInput, t]);
  const { choices, status } = useStore(store, (state) => state);
  const box = useRef<HTMLDivElement>(null);
  useUnmount(store, ({ lifetime }) => lifetime.unsubscribe());
  useAccessibleName(box, '[role=combobox]', props);
  useEffect(() => store.search(''), [store]);
  usePinyin();

  const selected = listOf(props.value);
  const titles = titlesOf(choices);
  const unresolvedValues = props.title || status === 'loading' ? [] : selected.filter((value) => !titles.has(value));
  const labelOf = useReferenceLabels(source, unresolvedValues);
  const titleOf = (value: string) => props.title ?? labelOf(value).text;

  const empty = t(status === 'loading' ? 'crud.loading' : status === 'failed' ? 'form.choicesFailed' : 'form.noChoices');
  if (source.checks) {
    return (
      <Suspense fallback={empty}>
        <CheckTree
          id={props.id}
          labelledBy={`${props.id}-label`}
          disabled={props.disabled}
          choices={choices}
          selected={selected}
          empty={<div className="crud-form__empty">{empty}</div>}
          onChange={props.onChange}
        />
      </Suspense>
    );
  }
  const Picker = source.shape === 'rows' ? RowsPicker : source.cascades ? CascadePicker : TreePicker;
  return (
    <div ref={box}>
      <Picker
        {...props}
        source={source}
        store={store}
        choices={choices}
        selected={selected}
        titleOf={titleOf}
        empty={<div className="crud-form__empty">{empty}</div>}
      />
    </div>
  );
}

const errorStatus = (isInvalid: boolean) => (isInvalid ? { status: 'error' as const } : {});

function RowsPicker({ field, id, disabled, isInvalid, onChange, source, store, choices, selected, empty, titleOf }: PickerProps) {
  const t = useTranslation();
  const titles = titlesOf(choices);
  // Remembers the titles of selected values, because a search may return other rows.
  const rememberedTitles = useRef(new Map<string, string>());
  for (const [value, title] of titles) rememberedTitles.current.set(value, title);
  const others = selected.filter((value) => !titles.has(value)).map((value) => ({ value, label: rememberedTitles.current.get(value) ?? titleOf(value) }));
  const options = [...choices.map(({ value, title }) => ({ value, label: title })), ...others];
  const { multiple: isMultiple } = field.traits;
  return (
    <Select
      id={id}
      showSearch
      allowClear={isMultiple || isClearable(field)}
      {...(isMultiple ? { mode: 'multiple' as const } : {})}
      {...errorStatus(isInvalid)}
      disabled={disabled}
      placeholder={t('form.search')}
      options={options}
      value={isMultiple ? [...selected] : (selected[0] ?? (undefined as unknown as string))}
      filterOption={source.search ? false : matchesTyped}
      notFoundContent={empty}
      onSearch={(typed) => store.search(typed)}
      onPopupScroll={(list: HTMLElement) => list.scrollTop + list.clientHeight >= list.scrollHeight - 24 && store.loadMore()}
      onChange={(picked) => onChange(picked)}
    />
  );
}

interface ReferenceTreeOption {
  readonly key: string;
  readonly title: string;
  readonly isLeaf: boolean;
  readonly children: ReferenceTreeOption[];
}

const treeOptionsOf = (choices: readonly ReferenceChoice[]): ReferenceTreeOption[] =>
  choices.map(({ value, title, isLeaf, children }) => ({ key: value, title, isLeaf, children: treeOptionsOf(children) }));

function TreePicker({ field, id, disabled, isInvalid, onChange, source, store, choices, selected, empty, titleOf }: PickerProps) {
  const t = useTranslation();
  const { multiple: isMultiple } = field.traits;
  const titles = titlesOf(choices);
  const selectedOptions = selected.map((value) => ({ value, label: titles.get(value) ?? titleOf(value) }));
  const isLoading = selectedOptions.some(({ label }) => label === t('crud.reference.loading'));
  return (
    <TreeSelect
      // The key makes the select read its label again once the title is known.
      key={isLoading ? 'loading' : 'ready'}
      id={id}
      showSearch
      labelInValue
      placeholder={t('form.choose')}
      multiple={isMultiple === true}
      allowClear={isMultiple || !field.required}
      error={isInvalid}
      disabled={disabled}
      treeData={treeOptionsOf(choices)}
      notFoundContent={empty}
      value={isMultiple ? selectedOptions : (selectedOptions[0] as NonNullable<(typeof selectedOptions)[0]>)}
      filterTreeNode={(typed, node) => matchesSearch(String(node.props.title), typed)}
      {...(source.shape === 'lazy-tree'
        ? {
            loadMore: async (node: { readonly _key?: string; readonly props?: { readonly _key?: string } }) =>
              void (await store.loadChildren(node.props?._key ?? node._key ?? '')),
          }
        : {})}
      onChange={(picked: { value: string } | { value: string }[] | undefined) =>
        onChange(Array.isArray(picked) ? picked.map(({ value }) => value) : picked?.value)
      }
    />
  );
}

interface CascaderOption {
  readonly value: string;
  readonly label: string;
  readonly isLeaf: boolean;
  readonly children?: CascaderOption[];
}

const cascaderOptionsOf = (choices: readonly ReferenceChoice[]): CascaderOption[] =>
  choices.map(({ value, title, isLeaf, children }) => ({
    value,
    label: title,
    isLeaf,
    ...(children.length > 0 ? { children: cascaderOptionsOf(children) } : {}),
  }));

function CascadePicker({ field, id, disabled, isInvalid, onChange, source, store, choices, selected, empty, titleOf }: PickerProps) {
  const t = useTranslation();
  const path = pathTo(choices, selected[0] ?? '').map(({ value }) => value);
  return (
    <Cascader
      id={id}
      showSearch={source.shape === 'tree'}
      filterOption={(typed, option) => matchesSearch(String(option.label), typed)}
      changeOnSelect
      placeholder={t('form.choose')}
      allowClear={!field.required}
      {...errorStatus(isInvalid)}
      disabled={disabled}
      options={cascaderOptionsOf(choices)}
      value={path.length > 0 ? path : [...selected.slice(0, 1)]}
      notFoundContent={empty}
      renderFormat={(labels) => (labels.length > 0 ? labels.map((label) => (label === selected[0] ? titleOf(label) : label)).join(' / ') : '')}
      {...(source.shape === 'lazy-tree' ? { loadMore: async (path: string[]) => cascaderOptionsOf(await store.loadChildren(path.at(-1) ?? '')) } : {})}
      onChange={(newPath) => onChange((newPath as string[] | undefined)?.at(-1))}
    />
  );
}

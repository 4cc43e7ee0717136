import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { matchesSearch, usePinyin } from '../../ui/fields/search-match.ts';
import { listenOutside } from '../../ui/menus/flyout.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { tabDetails } from '../tabs/tab-details.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';
import { CloseIcon } from './TabItem.tsx';
import styles from './TabListButton.module.css';

interface TabListProps {
  readonly tabs: readonly Tab[];
  readonly activeKey: string | undefined;
}

/** Opens a searchable list of all open pages. */
export function TabListButton({ tabs, activeKey }: TabListProps) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => (isOpen ? listenOutside(root.current, ['pointerdown', 'focusin'], () => setIsOpen(false)) : undefined), [isOpen]);

  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={root} className={styles.root}>
      <IconButton ref={button} label={t('tabs.all', { count: tabs.length })} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name="chevronDown" />
      </IconButton>
      {isOpen && <TabList tabs={tabs} activeKey={activeKey} onDone={close} />}
    </div>
  );
}

function TabList({ tabs, activeKey, onDone }: TabListProps & { readonly onDone: () => void }) {
  const t = useTranslation();
  const store = useService(TabStore);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [highlighted, setHighlighted] = useState(0);
  usePinyin(typed !== '');
  const detailOf = tabDetails(tabs);
  const matches = tabs.filter((tab) => matchesSearch(`${tab.title} ${detailOf(tab)}`, typed));
  const highlightedIndex = Math.min(highlighted, matches.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    document.getElementById(`${id}-${highlightedIndex}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, highlightedIndex]);

  const select = (tab: Tab | undefined) => {
    if (!tab) return;
    onDone();
    store.open(tab);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setHighlighted((highlightedIndex + step + matches.length) % Math.max(1, matches.length));
    else if (event.key === 'Enter') select(matches[highlightedIndex]);
    else if (event.key === 'Escape') onDone();
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.popup} role="dialog" aria-label={t('tabs.label')}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        role="combobox"
        aria-label={t('tabs.filter')}
        placeholder={t('tabs.filter')}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={matches.length > 0 ? optionId(highlightedIndex) : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setHighlighted(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={t('tabs.label')} className={styles.list}>
        {matches.map((tab, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
          <div
            key={tab.key}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === highlightedIndex}
            className={styles.option}
            data-shown={tab.key === activeKey || undefined}
            onPointerEnter={() => setHighlighted(index)}
            onClick={() => select(tab)}
          >
            {tab.pinned && <Icon name="pin" size={13} />}
            {tab.dirty && <span className={styles.dirty} />}
            <span className={styles.title}>{[tab.title, detailOf(tab)].filter(Boolean).join(' · ')}</span>
            {tab.dirty && <span className="visually-hidden">{t('tabs.unsaved')}</span>}
            {tab.closable && <CloseIcon onClose={() => store.close(tab.key)} />}
          </div>
        ))}
      </div>
      {matches.length === 0 && (
        <p className={styles.none} role="status">
          {t('tabs.noneFound')}
        </p>
      )}
    </div>
  );
}

import { Link } from 'react-router-dom';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuButton } from '../../ui/menus/MenuButton.tsx';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { addressOf, opensWindow } from '../routes/menu-address.ts';
import styles from './SectionStrip.module.css';
import { useFittingCount } from './use-fitting-count.ts';
import type { Section, Sections } from './use-sections.ts';

interface SectionStripProps {
  readonly sections: Sections;
  /** True to wrap all sections onto several lines; otherwise one line is followed by an overflow button. */
  readonly isWrapped?: boolean;
}

const overflowButtonWidth = 88;

/** Lists the sections of the menu; the menu shows the entries of the selected one. */
export function SectionStrip({ sections, isWrapped = false }: SectionStripProps) {
  const t = useTranslation();
  const { list, current } = sections;
  const { ruler, count } = useFittingCount<HTMLDivElement>(
    list.map(({ title }) => title),
    overflowButtonWidth,
  );
  const shown = isWrapped ? list : list.slice(0, count);
  const rest = list.slice(shown.length);
  return (
    <nav className={styles.strip} data-wrapped={isWrapped} aria-label={t('navigation.sections')}>
      {!isWrapped && (
        <div ref={ruler} className={styles.ruler} aria-hidden="true">
          {list.map((section) => (
            <span key={section.id} className={styles.section}>
              <SectionLabel section={section} />
            </span>
          ))}
        </div>
      )}
      {shown.map((section) => (
        <SectionControl key={section.id} section={section} isCurrent={section === current} onSelect={() => sections.select(section)} />
      ))}
      {rest.length > 0 && (
        <MenuButton
          label={t('navigation.more')}
          choices={rest.map((section) => ({
            key: section.id,
            label: section.title,
            isSelected: section === current,
            onSelect: () => sections.select(section),
          }))}
        >
          <span>{t('navigation.more')}</span>
          <Icon name="chevronDown" size={14} />
        </MenuButton>
      )}
    </nav>
  );
}

interface SectionControlProps {
  readonly section: Section;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
}

function SectionControl({ section, isCurrent, onSelect }: SectionControlProps) {
  const [page] = section.items;
  if (!section.isPage || !page)
    return (
      <button type="button" className={styles.section} aria-pressed={isCurrent} onClick={onSelect}>
        <SectionLabel section={section} />
      </button>
    );
  if (opensWindow(page))
    return (
      <a className={styles.section} href={addressOf(page)} target="_blank" rel="noopener noreferrer">
        <SectionLabel section={section} />
      </a>
    );
  return (
    <Link className={styles.section} to={addressOf(page)} aria-current={isCurrent ? 'page' : undefined}>
      <SectionLabel section={section} />
    </Link>
  );
}

function SectionLabel({ section }: { readonly section: Section }) {
  return (
    <>
      {section.source && <MenuIcon name={section.source} />}
      <span>{section.title}</span>
    </>
  );
}

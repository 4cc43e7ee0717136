import { Button } from '@arco-design/web-react';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import './shortcut-help.css';

type Shortcut = readonly [keys: readonly string[], effect: TextKey];

const onPage: readonly Shortcut[] = [
  [['/'], 'table.keySearch'],
  [['n'], 'table.keyNew'],
  [['Ctrl', 'P'], 'table.print'],
  [['?'], 'table.keyHelp'],
];
const onRow: readonly Shortcut[] = [
  [['↑', '↓'], 'table.keyMove'],
  [['Home', 'End'], 'table.keyEnds'],
  [['PageUp', 'PageDown'], 'table.keyPages'],
  [['Enter'], 'table.keyOpen'],
  [['e'], 'table.keyEdit'],
  [['Delete'], 'table.keyRemove'],
  [['Shift', 'F10'], 'table.keyMenu'],
  [['Space'], 'table.keyChoose'],
  [['→', '←'], 'table.keyTree'],
];

/** Lists the keyboard shortcuts of a list page. */
export default function ShortcutHelp({ container, onClose }: { readonly container: () => Element; readonly onClose: () => void }) {
  const t = useTranslation();
  return (
    <ScreenDialog
      title={t('table.shortcutTitle')}
      width={460}
      container={container}
      footer={<Button onClick={onClose}>{t('crud.close')}</Button>}
      onClose={onClose}
    >
      <Keys title={t('table.onPage')} shortcuts={onPage} />
      <Keys title={t('table.onRow')} shortcuts={onRow} />
    </ScreenDialog>
  );
}

function Keys({ title, shortcuts }: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  const t = useTranslation();
  return (
    <section className="crud-keys">
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(effect)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

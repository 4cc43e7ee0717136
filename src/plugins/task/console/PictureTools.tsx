import { Button } from '@arco-design/web-react';
import { useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { workbenchMessages } from './messages.ts';
import { asItIs, closer, further, turned, type View } from './picture-view.ts';
import styles from './Workbench.module.css';

const tools: readonly (readonly [key: string, title: LocalizedText, change: (view: View) => View])[] = [
  ['+', workbenchMessages.zoomIn, closer],
  ['−', workbenchMessages.zoomOut, further],
  ['0', workbenchMessages.fit, () => asItIs],
  ['T', workbenchMessages.rotate, turned],
];

/** Toolbar for the picture that is shown. */
export function PictureTools({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const t = useTranslation();
  return (
    <div className={styles.tools}>
      {tools.map(([key, title, change]) => (
        <Button key={key} size="small" onClick={() => onView(change(view))}>
          {t(title)} <kbd>{key}</kbd>
        </Button>
      ))}
    </div>
  );
}

import { Button } from '@arco-design/web-react';
import { useWords } from '#kernel';
import type { Words } from '#shared/text';
import { asItIs, closer, further, turned, type View } from './picture-view.ts';
import styles from './Workbench.module.css';
import { workbenchWords } from './words.ts';

const tools: readonly (readonly [key: string, title: Words, change: (view: View) => View])[] = [
  ['+', workbenchWords.zoomIn, closer],
  ['−', workbenchWords.zoomOut, further],
  ['0', workbenchWords.fit, () => asItIs],
  ['T', workbenchWords.rotate, turned],
];

/** Toolbar for the picture that is shown. */
export function PictureTools({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const say = useWords();
  return (
    <div className={styles.tools}>
      {tools.map(([key, title, change]) => (
        <Button key={key} size="small" onClick={() => onView(change(view))}>
          {say(title)} <kbd>{key}</kbd>
        </Button>
      ))}
    </div>
  );
}

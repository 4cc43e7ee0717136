import { Button } from '@arco-design/web-react';
import { IconClose, IconRefresh, IconUpload } from '@arco-design/web-react/icon';
import { type ReactNode, useRef, useState } from 'react';
import { Toasts, useCan, useService, useUploads, useWords } from '#kernel';
import { attachWords } from '../contract.ts';
import styles from './storage.module.css';

interface UploadAreaProps {
  /** Hears of each file that has arrived. */
  readonly onArrived: () => void;
  /** What the files are dropped onto; given the button that picks them. */
  readonly children: (pick: ReactNode) => ReactNode;
}

/** Files are picked or dropped anywhere on the page; what breaks off goes on where it stopped. */
export function UploadArea({ onArrived, children }: UploadAreaProps) {
  const say = useWords();
  const toasts = useService(Toasts);
  const may = useCan('attach_add');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { uploads, add, retry, cancel } = useUploads(false, ({ originalName }) => {
    toasts.success(say(attachWords.uploaded, { name: originalName }));
    onArrived();
  });
  if (!may) return children(null);
  const pick = (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button type="primary" icon={<IconUpload />} onClick={() => input.current?.click()}>
        {say(attachWords.upload)}
      </Button>
    </>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first
    <div
      className={styles.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget as Node | null) && setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add([...event.dataTransfer.files]);
      }}
    >
      {children(pick)}
      {isOver && <p className={styles.drop}>{say(attachWords.dropHere)}</p>}
      {uploads.length > 0 && (
        <ul className={styles.uploads}>
          {uploads.map((upload) => {
            const { name } = upload.file;
            const percent = Math.round(upload.fraction * 100);
            const progress = say(attachWords.uploading, { name, percent });
            return (
              <li key={upload.key} data-failed={upload.hasFailed || undefined}>
                <span>{upload.hasFailed ? say(attachWords.failed, { name }) : progress}</span>
                {upload.hasFailed ? (
                  <Button size="mini" icon={<IconRefresh />} aria-label={say(attachWords.resume, { name })} onClick={() => retry(upload)} />
                ) : (
                  <progress value={upload.fraction} max={1} aria-label={progress} />
                )}
                <Button size="mini" icon={<IconClose />} aria-label={say(attachWords.stop, { name })} onClick={() => cancel(upload)} />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

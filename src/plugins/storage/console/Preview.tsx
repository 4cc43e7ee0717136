import { Button, Image, Modal } from '@arco-design/web-react';
import { lazy, Suspense, useMemo } from 'react';
import { loadable, useStream, useWords } from '#kernel';
import { type AttachRow, attachWords } from '../contract.ts';
import { kindOf } from './preview-kinds.ts';
import styles from './storage.module.css';

const PdfPages = lazy(() => import('./PdfPages.tsx'));

interface PreviewProps {
  readonly of: AttachRow;
  readonly onClose: () => void;
}

/** An attachment over the page: pictures, video, sound, PDF and text; anything else can be downloaded. */
export default function Preview({ of, onClose }: PreviewProps) {
  const say = useWords();
  if (kindOf(of.type) === 'picture') return <Image.Preview src={of.link} visible onVisibleChange={(isVisible) => !isVisible && onClose()} />;
  const download = (
    <Button href={of.link} target="_blank">
      {say(attachWords.download)}
    </Button>
  );
  return (
    <Modal visible title={of.originalName} footer={download} className={styles.preview ?? ''} onCancel={onClose} unmountOnExit>
      <Suspense>
        <Content of={of} />
      </Suspense>
    </Modal>
  );
}

function Content({ of: { type, link, originalName } }: { readonly of: AttachRow }) {
  const say = useWords();
  switch (kindOf(type)) {
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
      return <video className={styles.film} src={link} controls aria-label={originalName} />;
    case 'sound':
      // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
      return <audio src={link} controls aria-label={originalName} />;
    case 'pdf':
      return <PdfPages link={link} name={originalName} />;
    case 'text':
      return <Text link={link} />;
    default:
      return <p>{say(attachWords.noPreview)}</p>;
  }
}

const mostText = 200_000;

function Text({ link }: { readonly link: string }) {
  const text$ = useMemo(() => loadable(beginningOf(link)), [link]);
  const { value } = useStream(text$, { status: 'loading' });
  return <pre className={styles.text}>{value}</pre>;
}

async function beginningOf(link: string): Promise<string> {
  return (await fetch(link, { headers: { range: `bytes=0-${mostText}` } })).text();
}

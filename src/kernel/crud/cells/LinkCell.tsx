import { isSafeLink } from '../model/cell-text.ts';
import { Ellipsis } from './Ellipsis.tsx';

const schemes = { email: 'mailto:', phone: 'tel:', url: '' } as const;

/** Renders an email address, a phone number or a URL as a link. */
export default function LinkCell({ kind, value }: { readonly kind: keyof typeof schemes; readonly value: string }) {
  if (kind === 'url' && !isSafeLink(value)) return <Ellipsis text={value} />;
  const newTab = kind === 'url' ? { target: '_blank', rel: 'noreferrer noopener' } : {};
  return (
    <a className="cell" href={schemes[kind] + value} {...newTab} onClick={(event) => event.stopPropagation()}>
      {value}
    </a>
  );
}

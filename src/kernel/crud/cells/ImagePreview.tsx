import { Image } from '@arco-design/web-react';

/** A picture over the page, to be looked at closely. */
export default function ImagePreview({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  return <Image.Preview src={link} visible onVisibleChange={(isVisible) => !isVisible && onClose()} />;
}

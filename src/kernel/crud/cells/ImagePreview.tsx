import { Image } from '@arco-design/web-react';

/** Shows a picture in full size over the page. */
export default function ImagePreview({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  return <Image.Preview src={link} visible onVisibleChange={(isVisible) => !isVisible && onClose()} />;
}

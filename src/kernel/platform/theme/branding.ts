import type { Manifest } from '#shared/manifest';
import type { LocalizedText } from '#shared/text';

/** Name and pictures of this console, from the brand of its manifest where there is one, else from the product. */
export class Branding {
  readonly name: string;
  readonly title: LocalizedText;
  /** Address of the logo that replaces the product's. */
  readonly logo: string | undefined;
  /** Address of a picture beside the sign-in form. */
  readonly background: string | undefined;

  /** True to offer the error log of this browser in the top bar. */
  readonly isDebug: boolean;

  constructor({ product, brand, modes }: Pick<Manifest, 'product' | 'brand' | 'modes'>) {
    this.isDebug = modes.debug;
    this.name = brand?.name ?? product.name;
    this.title = brand?.title ?? product.title;
    this.logo = brand?.logo;
    this.background = brand?.background;
  }
}

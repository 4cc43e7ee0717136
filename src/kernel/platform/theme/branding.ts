import type { Manifest } from '#shared/manifest';
import type { LocalizedText } from '#shared/text';

/** Name and pictures of this console: the tenant's where the manifest has one, else the product's. */
export class Branding {
  readonly name: string;
  readonly title: LocalizedText;
  /** Address of the logo that replaces the product's mark. */
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

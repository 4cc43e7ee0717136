import type { Manifest } from '#shared/manifest';
import type { Words } from '#shared/text';

/** What this console is called and which signs it carries: the tenant's where the manifest names one, else the product's. */
export class Branding {
  readonly name: string;
  readonly title: Words;
  /** The address of a picture in place of the product's mark. */
  readonly logo: string | undefined;
  /** The address of a picture beside the sign-in form. */
  readonly background: string | undefined;

  /** True: errors of this browser are at hand in the top bar. */
  readonly isDebug: boolean;

  constructor({ product, brand, modes }: Pick<Manifest, 'product' | 'brand' | 'modes'>) {
    this.isDebug = modes.debug;
    this.name = brand?.name ?? product.name;
    this.title = brand?.title ?? product.title;
    this.logo = brand?.logo;
    this.background = brand?.background;
  }
}

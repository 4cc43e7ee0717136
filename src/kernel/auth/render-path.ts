import { render } from '#shared/social';

/** Where a browser sets out to identify itself elsewhere. */
export const renderPath = (source: string, tenantId: string): string => `${render(source).path}?${new URLSearchParams({ tenantId })}`;

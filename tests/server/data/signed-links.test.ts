import { expect, test } from '@rstest/core';
import { resolveSignedLinks } from '../../../src/server/data/repository/signed-links.ts';
import { entity } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Id, Image } from '../../../src/shared/contract/fields.ts';

const Poster = entity('poster', { id: Id(), picture: Image({ title: ['图片', 'Picture'] }) });

test('an error for a link keeps its values and data, and names the field', async () => {
  const refused = new ApiError(problems.inUse, { name: 'sunset.png' }, { data: { key: 7 } });
  const resolver = { toStored: () => Promise.reject(refused), withSignedLinks: <Value>(_: unknown, value: Value) => value };
  const error = await resolveSignedLinks(resolver as never, Poster, { picture: '/a' }, undefined).catch((reason: ApiError) => reason);
  expect(error).toMatchObject({ field: 'picture', data: { key: 7 }, message: '“sunset.png” is in use. Remove what refers to it first.' });
});

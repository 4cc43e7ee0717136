import { entity } from '../../../src/shared/contract/contract.ts';
import { DateTime, Id, Integer, LongText, Nullable, Select, Text } from '../../../src/shared/contract/fields.ts';

/** An entity with a field of every type, for these tests. */
export const Film = entity('film', {
  id: Id(),
  filmTitle: Text({ title: ['片名', 'Film title'], maxLength: 64, search: true, sort: true }),
  plot: Nullable(LongText({ title: ['剧情', 'Plot'], search: true })),
  minutes: Integer({ title: ['片长', 'Minutes'], search: true, sort: true }),
  rating: Nullable(Integer({ title: ['评分', 'Rating'], search: true, sort: true })),
  genre: Select({
    title: ['类型', 'Genre'],
    search: true,
    default: 1,
    options: [
      [1, ['剧情片', 'Drama']],
      [2, ['喜剧片', 'Comedy']],
    ],
  }),
  studioId: Nullable(Id({ title: ['片厂', 'Studio'], search: true, form: true })),
  shownAt: Nullable(DateTime({ title: ['上映时间', 'Shown at'], search: true })),
  secret: Nullable(Text({ title: ['密码', 'Secret'] })),
});

export const filmMigration = `
  create table film (
    like base_row including all,
    film_title varchar(64) not null,
    plot text,
    minutes integer not null,
    rating integer,
    genre integer not null,
    studio_id bigint,
    shown_at timestamptz(0),
    secret varchar(255)
  );
  call own_by_tenant('film');
  call sort_by('film', 'film_title');
  call sort_by('film', 'minutes');
  call sort_by('film', 'rating');
  create unique index on film (tenant_id, film_title) where is_deleted = 0;
`;

import { displayNameOf } from '@stoa/contracts/facts';
import { request } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { Picture } from '../../ui/picture.tsx';
import { PhonePage } from './phone-page.tsx';

const path = '/api/showcase';
const SampleProfile = lazyOptional(async () => (await import('./sample-profile.tsx')).SampleProfile);

/** The page of somebody on this site, which comes with home; the sample where there is nobody's. Its place is kept. */
export function Showcase() {
  const { data, error } = useResource(path, (signal) => request('get', path, { signal }));
  if (!data && !error) return <div className="min-h-[25rem] w-72 max-w-full" />;
  const creator = data?.creator;
  if (!creator) return <SampleProfile />;
  const name = displayNameOf(creator);
  return (
    <PhonePage
      face={<Avatar picture={creator.profileImage} name="" sizes="5rem" />}
      name={
        <Link
          to={paths.profile(creator.username)}
          className="no-underline after:absolute after:inset-0 after:rounded-[1.8rem] hover:underline"
        >
          {name}
        </Link>
      }
      username={creator.username}
      niche={creator.niches[0]}
      line={`${creator.bioPreview}...`}
      offerings={data.offerings.map(({ slug, coverImage, title, price }) => ({
        slug,
        title,
        price,
        cover: coverImage && <Picture picture={coverImage} alt="" sizes="3.6rem" />,
      }))}
    />
  );
}

import { href } from "react-router";
import { ReviewBadge } from "#app/domains/booking/reviews/components/review-badge.tsx";
import { ReviewEntry } from "#app/domains/booking/reviews/components/review-entry.tsx";
import { isReviewTab, listReviews, type ReviewTab } from "#app/domains/booking/reviews/queries.server.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Badge, Card, GoLink, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/reviews.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, page } = listState(request);
  const asked = query.get("tab");
  const tab = isReviewTab(asked) ? asked : "reported";
  const list = await listReviews(ctx, { tab, page });
  toLastPage(request, page, list.total);
  return { tab, page, ...list };
});

const address = (tab: ReviewTab, page = 1) => listAddress(href("/admin/reviews"), { tab: tab === "reported" ? "" : tab, page });

export default function Reviews({ loaderData }: Route.ComponentProps) {
  const { tab, page, rows, total, hasMore, reported } = loaderData;
  const label = { reported: m.reviews_admin_reported(), hidden: m.reviews_admin_hidden(), all: m.reviews_admin_all() };
  return (
    <Page wide title={m.reviews_admin_title()}>
      <Tabs
        label={m.reviews_admin_tabs()}
        tabs={(["reported", "hidden", "all"] as const).map((one) => ({
          to: address(one),
          label: label[one],
          current: one === tab,
          ...(one === "reported" && { count: reported }),
        }))}
      />
      {rows.length ? (
        <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-4">
          {rows.map((review) => (
            <Card as="li" key={review.id}>
              <h2>
                <GoLink to={href("/admin/reviews/:id", { id: review.id })}>
                  {m.reviews_admin_of({ author: review.author ?? m.reviews_someone(), doctor: review.doctor })}
                </GoLink>
              </h2>
              <MetaLine className="mt-2 mb-3">
                <ReviewBadge status={review.status} />
                {review.openReports > 0 && (
                  <Badge tone="warn" icon="triangle-alert">
                    {review.openReports === 1 ? m.reviews_admin_reports_one() : m.reviews_admin_reports({ count: review.openReports })}
                  </Badge>
                )}
              </MetaLine>
              <ReviewEntry
                review={{
                  ...review,
                  reply: review.ownReply,
                  rating: review.rating ?? 0,
                  date: todayInIndia(review.createdAt),
                  edited: review.editedAt !== null,
                }}
              />
            </Card>
          ))}
        </ul>
      ) : (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={tab === "reported" ? m.reviews_admin_none_reported() : m.reviews_admin_none()}>
            {m.reviews_admin_none_text()}
          </EmptyState>
        </div>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address(tab, page)} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_admin_title() }) }];

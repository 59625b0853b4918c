// The service worker: shows what the service tells this browser of, also while no page is open. It serves no page and stores nothing.
addEventListener("push", (event) => {
  const { data = {} } = event.data?.json() ?? {};
  // The same enquiry may be told of twice.
  event.waitUntil(registration.showNotification("New enquiry", { body: data.title ?? "", tag: data.id, icon: "icon.svg", data }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { organisationId, id } = event.notification.data;
  event.waitUntil(clients.openWindow(id ? `/dashboard/enquiry/${encodeURIComponent(organisationId)}/${encodeURIComponent(id)}` : "/dashboard/"));
});

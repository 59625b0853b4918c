<?php
// Uses every method of nginx/docs/Tradepost.php: client.php BASE FAULTY_BASE CA EMAIL PASSWORD JPEG. FAULTY_BASE is the same service
// behind php_client.test.mjs, which makes requests fail as the header X-Fault of this program's environment asks.
declare(strict_types=1);
require getenv('BUILD') . '/www/docs/Tradepost.php';
[, $base, $faulty, $authority, $email, $password, $picture] = $argv;

function same(mixed $found, mixed $wanted, string $what): void
{
    if ($found === $wanted) return;
    fwrite(STDERR, "$what: " . json_encode($found) . ' instead of ' . json_encode($wanted) . "\n");
    exit(1);
}

function refused(int $status, string $message, callable $what): TradepostError
{
    try {
        $what();
    } catch (TradepostError $error) {
        same([$error->getCode(), $error->getMessage()], [$status, $message], 'the refusal');
        return $error;
    }
    fwrite(STDERR, "$status $message did not come\n");
    exit(1);
}

$options = ['caFile' => $authority];
$error = refused(401, 'Invalid credentials', fn () => Tradepost::signIn($base, $email, 'a wrong password!', options: $options));
same(preg_match('/^[0-9a-f]{32}$/', $error->requestId ?? ''), 1, 'the id of the request');
$api = Tradepost::signIn("$base/", $email, $password, options: $options);
same(strlen($api->token()), 64, 'the token');
same($api->me()['email'], $email, 'me');
same((new Tradepost($base, $api->token(), $options))->me()['email'], $email, 'a token that was kept');

// The account and devices.
$account = $api->account();
same($api->changeAccount(['city' => 'Bradford'])['city'], 'Bradford', 'the account');
same($api->account($account['id'])['city'], 'Bradford', 'the account by its id');
$api->registerDevice('fcm-1', 'ANDROID', 'Phone');

same(array_column($api->tokens()['tokens'], 'id'), [$api->me()['token']['id']], 'the tokens');
$other = Tradepost::signIn($base, $email, $password, scopes: ['stock:read'], options: $options);
$api->revokeToken($other->me()['token']['id']);
refused(401, 'Unauthorized', fn () => $other->me());
same(strlen($api->notificationKey() ?? ''), 87, 'the key for browsers');

// The organisation's people and programs, with its id and without.
foreach ([$api->organisation(), $api->organisation($account['id'])] as $organisation) {
    same(array_column($organisation->members(), 'email'), [$email], 'the members');
    same($organisation->changeMember($api->me()['id'], 'ADMIN')['role'], 'ADMIN', 'a role');
    refused(409, 'Conflict: an organisation needs an ADMIN; make another member one first', fn () => $organisation->removeMember($api->me()['id']));
    $invitation = $organisation->invite('max@ashford.example', 'MEMBER');
    same(array_column($organisation->invitations(), 'id'), [$invitation['id']], 'the invitations');
    $organisation->withdrawInvitation($invitation['id']);
    same($organisation->chooseLetters('DAILY'), ['enquiryMail' => 'DAILY'], 'the letters that were chosen');
    same($organisation->letters(), ['enquiryMail' => 'DAILY'], 'the letters');
    $program = $organisation->addIntegration('Feed');
    $made = $organisation->makeToken($program['id'], 'First', ['stock:write']);
    same((new Tradepost($base, $made['token'], $options))->me()['name'], 'Feed', 'the program');
    same(array_column($organisation->integrations()[0]['tokens'], 'id'), [$made['id']], 'the tokens of the program');
    $organisation->revokeToken($program['id'], $made['id']);
    same($organisation->integrations()[0]['tokens'], [], 'a token that was revoked');
    $organisation->deleteIntegration($program['id']);
    same($organisation->integrations(), [], 'the program that was deleted');
    $hook = $organisation->createWebhook('https://receiver.example/', ['stock.changed']);
    same(array_column($organisation->webhooks(), 'id'), [$hook['id']], 'the webhooks');
    same(strlen($organisation->renewSecret($hook['id'])['secret']), 50, 'the new secret');
    $message = $organisation->testWebhook($hook['id']);
    for ($i = 0; $i < 100 && !$organisation->deliveries($hook['id'])['deliveries']; $i++) usleep(200_000);
    same(array_column($organisation->deliveries($hook['id'])['deliveries'], 'id'), [$message['id']], 'the deliveries');
    same($organisation->retryDelivery($hook['id'], $message['id'])['id'], $message['id'], 'the delivery once more');
    same($organisation->changeWebhook($hook['id'], ['active' => false])['active'], false, 'the webhook');
    $organisation->deleteWebhook($hook['id']);
}

// Stock: create, read, change, put, pages, polls.
$item = $api->stock->create(['reference' => 'P/1', 'title' => 'Käfer £', 'attributes' => ['fuel' => 'Petrol']]);
same($api->stock->get($item['id']), $item, 'the new item');
same($api->stock->change($item['id'], ['title' => 'Beetle', 'attributes' => ['fuel' => null]])['attributes'], [], 'a removed attribute');
$error = refused(412, 'Precondition failed', fn () => $api->stock->change($item['id'], ['title' => 'x'], '"stale"'));
$read = $api->stock->read($item['id']);
same($read->data['title'], 'Beetle', 'an item with its headers');
$unchanged = $api->stock->read($item['id'], $read->header('etag'));
same([$unchanged->status, $unchanged->data], [304, null], 'an item that has not changed');
same($api->stock->change($item['id'], ['title' => 'Bug'], $read->header('etag'))['title'], 'Bug', 'a change with an ETag');
refused(412, 'Precondition failed', fn () => $api->stock->put('P/1', ['title' => 'x'], $read->header('etag')));
same($api->stock->getByReference('P/1', $account['id'])['title'], 'Bug', 'an item by its reference and organisation');
$again = $api->stock->create(['reference' => 'P-2', 'title' => 'Once'], 'one-key');
same($api->stock->create(['reference' => 'P-2', 'title' => 'Once'], 'one-key')['id'], $again['id'], 'a repeated key');
$error = refused(409, 'Conflict: reference is used by another item', fn () => $api->stock->create(['reference' => 'P-2', 'title' => 'Twice']));
same($api->stock->put('P/1', ['title' => 'Put'])['id'], $item['id'], 'a reference with a slash');
same($api->stock->getByReference('P/1')['title'], 'Put', 'an item by its reference');
$job = $api->jobs->put('J-1', ['title' => 'Fitter']);
same($api->jobs->getByReference('J-1')['id'], $job['id'], 'a job by its reference');
$api->jobs->deleteByReference('J-1');
for ($i = 0; $i < 5; $i++) $api->stock->put("F-$i", ['title' => "Feed $i", 'price' => 100, 'currency' => 'GBP', 'status' => 'PUBLISHED', 'make' => 'Ford']);
same(count(iterator_to_array($api->stock->each(['limit' => 2]), false)), 7, 'all pages');
same(count(iterator_to_array($api->stock->each(['limit' => 2, 'reference' => ['F-1', 'F-2', 'F-3']]), false)), 3, 'a repeated filter');
same($api->stock->list(['limit' => 2, 'hasImages' => false])['total'], 7, 'a boolean filter');
same($api->stock->facets(['make'])['make'], [['value' => 'Ford', 'count' => 5]], 'facets');
$rows = array_map(fn ($i) => ['reference' => "F-$i", 'title' => "Feed $i", 'price' => 200, 'currency' => 'GBP'], range(0, 4));
same($api->stock->feed($rows, ['dryRun' => true])['updated'], 5, 'a dry run');
same($api->stock->feed((fn () => yield from $rows)())['updated'], 5, 'a feed');
same($api->stock->feed($rows)['unchanged'], 5, 'the same feed');
same($api->stock->feed([...$rows, ['reference' => 'F-5']], ['onError' => 'skip'])['failures'][0]['line'], 6, 'a line that fails');
same(count($api->stock->readFeed()), 7, 'all stock');
$hook = $api->webhooks->create(['url' => 'https://receiver.example/', 'events' => ['stock.changed']]);
$now = (string) time();
$sign = fn (string $at) => 'v1,' . base64_encode(hash_hmac('sha256', "m-1.$at.{}", base64_decode(substr($hook['secret'], 6)), true));
same(Tradepost::isGenuine('m-1', $now, 'v1,x ' . $sign($now), '{}', $hook['secret']), true, 'a genuine message');
same(Tradepost::isGenuine('m-1', $now, $sign($now), '{"a": 1}', $hook['secret']), false, 'another body');
same(Tradepost::isGenuine('m-1', '1', $sign('1'), '{}', $hook['secret']), false, 'an old message');
$api->webhooks->delete($hook['id']);
$poll = $api->stock->poll(null, ['limit' => 3]);
same(count(iterator_to_array($poll, false)), 7, 'the first poll');
$api->stock->change($item['id'], ['title' => 'Changed']);
$next = $api->stock->poll($poll->since(), ['limit' => 3]);
$seen = array_column(iterator_to_array($next, false), 'title', 'id');
same($seen[$item['id']] ?? null, 'Changed', 'the second poll');
same(preg_match('/^\d{4}-.*Z$/', $next->since() ?? ''), 1, 'the time of the next poll');

// Uploads, of which the bytes come from the disk.
$file = $api->upload($picture);
same([$file['status'], $file['contentType'], $file['width']], ['READY', 'image/jpeg', 64], 'the upload');
same(count($api->stock->change($item['id'], ['images' => [['uploadId' => $file['id']]]])['images']), 1, 'the picture');
refused(409, 'Conflict: upload is attached', fn () => $api->uploads->delete($file['id']));

// Jobs, enquiries, events, posts.
$job = $api->jobs->create(['title' => 'Advisor', 'description' => 'd', 'category' => 'Parts', 'contractType' => 'PERMANENT', 'city' => 'Leeds', 'status' => 'PUBLISHED']);
same((new Tradepost($base, null, $options))->jobs->get($job['slug'])['id'], $job['id'], 'a job without a token');
$enquiry = $api->enquiries->create(['jobId' => $job['id'], 'name' => 'Sam', 'message' => 'Hello']);
same($api->enquiries->change($enquiry['id'], ['status' => 'READ'])['status'], 'READ', 'the enquiry');
same(count(iterator_to_array($api->enquiries->poll(null), false)), 1, 'the poll of enquiries');
$api->enquiries->delete($enquiry['id']);
$api->jobs->delete($job['id']);
refused(404, 'Not found', fn () => $api->jobs->get($job['id']));
foreach (['events' => ['startsAt' => '2036-01-01T00:00:00Z', 'city' => 'Leeds'], 'posts' => ['body' => 'b']] as $name => $row) {
    $made = $api->$name->create(['title' => 'A title', 'publishedAt' => '2026-01-01T00:00:00Z'] + $row);
    same($api->$name->change($made['id'], ['publishedAt' => null])['publishedAt'], null, "one of $name is a draft again");
    same($api->$name->get($made['slug'])['id'], $made['id'], "a member's draft of $name");
    $api->$name->delete($made['id']);
    same(is_int($api->$name->list()['total']), true, $name);
}
refused(400, 'Unknown field: colour', fn () => $api->stock->create(['reference' => 'P-3', 'title' => 'x', 'colour' => 'red']));

// What fails on the way is tried again, and nothing is done twice.
$slept = [];
$options += ['sleep' => function (float $seconds) use (&$slept): void { $slept[] = $seconds; }];
$try = fn (string $fault) => new Tradepost("$faulty/$fault", $api->token(), $options);
same($try('429')->me()['email'], $email, 'after 429');
same($slept, [7.0], 'the pause that Retry-After names');
$slept = [];
same($try('503')->stock->create(['reference' => 'R-1', 'title' => 'x'])['reference'], 'R-1', 'after 503');
same(count($slept) === 2 && $slept[0] >= 0.5 && $slept[0] <= 1 && $slept[1] >= 1 && $slept[1] <= 2, true, 'pauses that grow');
same($try('lost')->stock->create(['reference' => 'R-2', 'title' => 'x'])['reference'], 'R-2', 'after an answer that was lost');
same($api->stock->list(['reference' => 'R-2'])['total'], 1, 'the item whose answer was lost');
$slept = [];
refused(503, 'Service unavailable', fn () => $try('down')->me());
same(count($slept), 4, 'attempts');
$slept = [];
same(refused(429, 'Too many requests. Please try again later.', fn () => $try('long')->me())->retryAfter, 900, 'a pause that is too long');
same($slept, [], 'no pause');
refused(503, 'Service unavailable', fn () => Tradepost::signIn("$faulty/closed", $email, $password, options: $options));
same($slept, [], 'a POST without a key is not repeated');

$api->stock->delete($item['id']);
$api->stock->deleteByReference('F-4');
$deletions = $api->stock->deletions($next->since(), ['limit' => 1]);
same(array_column(iterator_to_array($deletions, false), 'reference'), ['F-4', 'P/1'], 'deletions');
same($deletions->since() > $next->since(), true, 'the time of the next poll of deletions');
$token = $api->token();
$api->signOut();
refused(401, 'Unauthorized', fn () => (new Tradepost($base, $token, $options))->me());
echo "all\n";

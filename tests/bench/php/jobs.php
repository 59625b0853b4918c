<?php
declare(strict_types=1);

const JOB_COLUMNS = 't.id, t.slug, o.id AS organisation_id, o.slug AS organisation_slug, o.name AS organisation_name, o.logo_url, t.title, t.summary,'
    . ' t.category, t.department, t.contract_type, t.working_hours, t.workplace, t.city, t.postal_code, t.country, t.salary_min, t.salary_max,'
    . ' t.salary_currency, t.salary_period, t.apply_url, t.apply_email, t.status, t.published_at, t.expires_at, t.created_at, t.updated_at';
const JOB_CACHE = 'public, max-age=0, must-revalidate';

function job(array $row): array
{
    $job = [
        'id' => uuid($row['id']),
        'slug' => $row['slug'],
        'organisation' => ['id' => uuid($row['organisation_id']), 'slug' => $row['organisation_slug'], 'name' => $row['organisation_name'],
            'logoUrl' => $row['logo_url']],
        'title' => $row['title'],
        'summary' => $row['summary'],
    ];
    if (array_key_exists('description', $row)) {
        $job['description'] = $row['description'];
    }
    return $job + [
        'category' => $row['category'],
        'department' => $row['department'],
        'contractType' => $row['contract_type'],
        'workingHours' => $row['working_hours'],
        'workplace' => $row['workplace'],
        'city' => $row['city'],
        'postalCode' => $row['postal_code'],
        'country' => $row['country'],
        'salaryMin' => $row['salary_min'],
        'salaryMax' => $row['salary_max'],
        'salaryCurrency' => $row['salary_currency'],
        'salaryPeriod' => $row['salary_period'],
        'applyUrl' => $row['apply_url'],
        'applyEmail' => $row['apply_email'],
        'status' => $row['status'],
        'publishedAt' => instant($row['published_at']),
        'expiresAt' => instant($row['expires_at']),
        'createdAt' => instant($row['created_at']),
        'updatedAt' => instant($row['updated_at']),
    ];
}

// The index to force, the conditions and their values.
function job_filter(): array
{
    $index = 'jobs_listed';
    $where = 't.listed = 1 AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP(3))';
    $values = [];
    $add = function (string $forced, string $condition, mixed $value) use (&$index, &$where, &$values): void {
        $index = $forced;
        $where .= " AND $condition";
        $values[] = $value;
    };
    // The last one names the index.
    if (($_GET['salaryMin'] ?? '') !== '') {
        $add('jobs_salary', 't.salary_high >= ?', (int) $_GET['salaryMin']);
    }
    if (($_GET['salaryMax'] ?? '') !== '') {
        $add('jobs_salary', 't.salary_low <= ?', (int) $_GET['salaryMax']);
    }
    if (($_GET['contractType'] ?? '') !== '') {
        $add('jobs_contract_type', 't.contract_type = ?', strtoupper($_GET['contractType']));
    }
    foreach (['department', 'category', 'city'] as $name) {
        if (($_GET[$name] ?? '') !== '') {
            $key = substr(hash('sha256', preg_replace('/\s+/', ' ', trim(strtolower($_GET[$name]))), true), 0, 16);
            $add("jobs_$name", "t.{$name}_key = ?", $key);
        }
    }
    if (($_GET['organisationId'] ?? '') !== '') {
        $id = uuid_bytes($_GET['organisationId']);
        $add('jobs_organisation', 't.organisation_id = ?', $id ?? answer(400, ['error' => 'Invalid query']));
    }
    return [$index, $where, $values];
}

function list_jobs(int $page, int $limit): never
{
    [$index, $where, $values] = job_filter();
    $total = total("jobs $where " . implode(' ', $values), fn() =>
        (int) ask("SELECT COUNT(*) AS n FROM jobs t FORCE INDEX ($index) WHERE $where", $values)[0]['n']);
    $offset = ($page - 1) * $limit;
    $rows = $offset >= $total ? [] : ask('SELECT STRAIGHT_JOIN ' . JOB_COLUMNS . " FROM (SELECT t.id FROM jobs t FORCE INDEX ($index) WHERE $where"
        . " ORDER BY t.published_at DESC, t.id DESC LIMIT $limit OFFSET $offset) k JOIN jobs t ON t.id = k.id"
        . ' JOIN organisations o ON o.id = t.organisation_id ORDER BY t.published_at DESC, t.id DESC', $values);
    header("X-Total-Count: $total");
    answer(200, ['data' => ['jobs' => array_map('job', $rows), 'total' => $total, 'page' => $page, 'pages' => intdiv($total + $limit - 1, $limit)]],
        JOB_CACHE);
}

function get_job(string $id_or_slug): never
{
    $id = uuid_bytes($id_or_slug);
    $rows = ask('SELECT ' . JOB_COLUMNS . ', t.description FROM jobs t JOIN organisations o ON o.id = t.organisation_id WHERE '
        . ($id === null ? 't.slug = ?' : 't.id = ?') . ' AND t.listed = 1 AND (t.expires_at IS NULL OR t.expires_at > UTC_TIMESTAMP(3))',
        [$id ?? $id_or_slug]);
    $rows ? answer(200, ['data' => job($rows[0])], JOB_CACHE) : answer(404, ['error' => 'Not found']);
}

"""The shortest life of the package: installed, one instance with one request, removed. What runs before each landing."""
import host
from host import equal, expect, north, run, said


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    host.add(north)
    north.wait_ready()


def test_an_instance_answers_and_goes_with_the_package():
    equal(north.get("/api/v1/me").data()["email"], "user@dealer.test", "the user of the token")
    equal(north.get("/api/v1/jobs").data(), {"jobs": [], "total": 0, "page": 1, "pages": 0}, "the public jobs")
    run("tradepost-instance remove north")
    run("dpkg --remove tradepost")
    equal(said("systemctl list-units --no-legend 'tradepost*@*' | wc -l"), "0", "units after the removal")
    expect(run("nginx -t", check=False).returncode == 0, "nginx keeps its configuration")
